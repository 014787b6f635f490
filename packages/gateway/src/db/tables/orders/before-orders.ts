// What is read before orders are opened: existing orders under their numbers, and whether their currencies can be taken.
import type { Reader } from '../../postgres/tx.ts';
import { DETAIL, type DetailRow, type OrderDetail, toDetail } from './orders.ts';

/** The fields of a requested order by which others are looked up. */
export interface WantedOrder {
  readonly appId: string;
  readonly outTradeNo: string;
  readonly currencyId: number;
  readonly chain: string;
}

export interface BeforeOrder {
  /** The order that already has the merchant's number; null if there is none. */
  readonly standing: OrderDetail | null;
  readonly state: CurrencyState;
}

/** Whether a currency can be taken, as far as the database shows. */
export interface CurrencyState {
  readonly offForApp: boolean;
  /** Whether blocks of its chain are read for it. */
  readonly isRead: boolean;
  readonly haltedReason: string | null;
}

interface StateRow {
  readonly off_for_app: boolean;
  readonly is_read: boolean;
  readonly halted_reason: string | null;
}

type BeforeRow = StateRow & (DetailRow | { readonly trade_no: null });

/** One statement for all, in their order. */
export async function readBeforeOrders(
  reader: Reader,
  wanted: readonly WantedOrder[],
): Promise<readonly BeforeOrder[]> {
  const rows = await reader.read<BeforeRow>(BEFORE, [
    wanted.map(({ appId }) => appId),
    wanted.map(({ outTradeNo }) => outTradeNo),
    wanted.map(({ currencyId }) => currencyId),
    wanted.map(({ chain }) => chain),
  ]);
  return rows.map((row) => ({
    standing: row.trade_no === null ? null : toDetail(row),
    state: { offForApp: row.off_for_app, isRead: row.is_read, haltedReason: row.halted_reason },
  }));
}

const BEFORE = `
  SELECT standing.*, c.halted_reason,
    c.head_number IS NOT NULL AND (c.currency_ids IS NULL OR wanted.currency_id = ANY(c.currency_ids)) AS is_read,
    EXISTS (SELECT FROM app_currencies_off f WHERE f.app_id = wanted.app_id AND f.currency_id = wanted.currency_id)
      AS off_for_app
  FROM unnest($1::text[], $2::text[], $3::integer[], $4::text[]) WITH ORDINALITY
    AS wanted (app_id, out_trade_no, currency_id, chain, place)
  LEFT JOIN chain_cursors c ON c.chain = wanted.chain
  LEFT JOIN LATERAL (${DETAIL} WHERE o.trade_no = (
    SELECT k.trade_no FROM order_keys k WHERE k.app_id = wanted.app_id AND k.out_trade_no = wanted.out_trade_no
  )) AS standing ON true
  ORDER BY place`;
