// Orders as their payment pages need them, many at once: the order, its transfers, its page.
import { isAppOn } from '@ducat/core/access/app-state';
import type { OrderTransfer } from '@ducat/core/order/payment-progress';
import type { Reader } from '../../postgres/tx.ts';
import type { CheckoutPage } from '../checkout-pages.ts';
import { isCounterpart, isReversed } from '../transfers/reversals.ts';
import { toTransfer, type TransferRow } from '../transfers/transfer-row.ts';
import { DETAIL, type DetailRow, type OrderDetail, toDetail } from './orders.ts';

export interface CheckoutOrder extends OrderDetail {
  readonly appName: string;
  /** Whether the operator still lets the app take payments. */
  readonly isAppOn: boolean;
  readonly hosted: {
    readonly subject: string | null;
    /** The offered currencies; null for all that are on for the app. */
    readonly offered: readonly number[] | null;
    readonly isChosen: boolean;
  } | null;
  readonly page: Omit<CheckoutPage, 'logo'> & { readonly logoDigest: string | null };
  /** Number of the newest accepted block of the order's chain; null before the first. */
  readonly head: number | null;
  /** Transfers of any currency, newest first; at most `MAX_TRANSFERS`. */
  readonly transfers: readonly OrderTransfer[];
}

/** Further transfers are not shown. Their sum is what counts, and the order holds it. */
const MAX_TRANSFERS = 100;

interface CheckoutRow extends DetailRow {
  readonly app_name: string;
  readonly app_enabled: boolean;
  readonly app_suspended: boolean;
  readonly is_chosen: boolean | null;
  readonly subject: string | null;
  readonly currency_ids: readonly number[] | null;
  readonly accent: string | null;
  readonly contact: string | null;
  readonly frame_origins: readonly string[] | null;
  readonly logo_digest: string | null;
  readonly is_test: boolean | null;
  readonly head: number | null;
  readonly transfers: readonly OrderTransferRow[];
}

type OrderTransferRow = TransferRow & Pick<OrderTransfer, 'state'>;

/**
 * The existing ones of these orders, in one statement however many they are. Order and transfers have to be of one moment:
 * as transfers become final, their sum moves from them to the order.
 */
export async function readCheckoutOrders(
  reader: Reader,
  tradeNos: readonly string[],
): Promise<ReadonlyMap<string, CheckoutOrder>> {
  if (tradeNos.length === 0) return new Map();
  const rows = await reader.read<CheckoutRow>(CHECKOUT_ORDERS, [tradeNos]);
  return new Map(rows.map((row) => [row.trade_no, toCheckout(row)]));
}

/**
 * The numbers of PostgreSQL are exact in JSON, but JavaScript would round the units: they are sent as text. To a payer, a
 * reversed transfer is one that a reorg took away, and its counterpart is none at all.
 */
const TRANSFERS = `
  SELECT json_agg(json_build_object(
      'chain', t.chain, 'tx_id', t.tx_id, 'position', t.position, 'currency_id', t.currency_id, 'units', t.units::text,
      'from_address', t.from_address, 'to_address', t.to_address, 'block_number', t.block_number,
      'block_hash', t.block_hash, 'block_time', t.block_time, 'state', CASE WHEN ${isReversed('t')} THEN 'orphaned' ELSE t.state END)
    ORDER BY t.block_number DESC, t.ordinal)
  FROM (
    SELECT * FROM transfers one WHERE trade_no = detail.trade_no AND state <> 'proposed' AND NOT ${isCounterpart('one')}
    ORDER BY block_number DESC, ordinal LIMIT ${MAX_TRANSFERS}) AS t`;

const CHECKOUT_ORDERS = `
  SELECT detail.*, a.name AS app_name, a.enabled AS app_enabled, m.suspended AS app_suspended, h.is_chosen, h.subject, h.currency_ids,
    p.accent, p.contact, p.frame_origins, p.logo_digest, p.is_test, c.head_number AS head,
    coalesce((${TRANSFERS}), '[]') AS transfers
  FROM (${DETAIL} JOIN unnest($1::text[]) AS wanted (trade_no) ON wanted.trade_no = o.trade_no) AS detail
    JOIN apps a USING (app_id) JOIN merchants m USING (merchant_id)
    LEFT JOIN hosted_orders h USING (trade_no)
    LEFT JOIN checkout_pages p USING (app_id)
    LEFT JOIN chain_cursors c ON c.chain = detail.chain`;

function toCheckout(row: CheckoutRow): CheckoutOrder {
  const { subject, currency_ids: offered, is_chosen: isChosen } = row;
  return {
    ...toDetail(row),
    appName: row.app_name,
    isAppOn: isAppOn({ enabled: row.app_enabled, isSuspended: row.app_suspended }),
    hosted: isChosen === null ? null : { subject, offered, isChosen },
    page: {
      accent: row.accent,
      contact: row.contact,
      frameOrigins: row.frame_origins ?? [],
      logoDigest: row.logo_digest,
      isTest: row.is_test ?? false,
    },
    head: row.head,
    transfers: row.transfers.map((transfer) => ({ ...toTransfer(transfer), state: transfer.state })),
  };
}
