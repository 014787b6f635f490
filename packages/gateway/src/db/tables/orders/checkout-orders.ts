// Orders as their payment pages need them, many at once: the order, its transfers, its page.
import { isAppOn } from '@ducat/core/access/app-state';
import type { OrderTransfer } from '@ducat/core/order/payment-progress';
import type { Reader } from '../../postgres/tx.ts';
import type { CheckoutPage } from '../checkout-pages.ts';
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
}

type OrderTransferRow = TransferRow & Pick<OrderTransfer, 'state'> & { readonly trade_no: string };

/** The existing ones of these orders, in two statements however many they are. */
export async function readCheckoutOrders(
  reader: Reader,
  tradeNos: readonly string[],
): Promise<ReadonlyMap<string, CheckoutOrder>> {
  if (tradeNos.length === 0) return new Map();
  const rows = await reader.read<CheckoutRow>(CHECKOUT_ORDERS, [tradeNos]);
  const transfers = await reader.read<OrderTransferRow>(ORDER_TRANSFERS, [tradeNos]);
  const byOrder = new Map<string, OrderTransferRow[]>();
  for (const transfer of transfers) {
    const others = byOrder.get(transfer.trade_no);
    if (others === undefined) byOrder.set(transfer.trade_no, [transfer]);
    else others.push(transfer);
  }
  return new Map(rows.map((row) => [row.trade_no, toCheckout(row, byOrder.get(row.trade_no) ?? [])]));
}

const CHECKOUT_ORDERS = `
  SELECT detail.*, a.name AS app_name, a.enabled AS app_enabled, m.suspended AS app_suspended, h.is_chosen, h.subject, h.currency_ids,
    p.accent, p.contact, p.frame_origins, p.logo_digest, p.is_test, c.head_number AS head
  FROM (${DETAIL} JOIN unnest($1::text[]) AS wanted (trade_no) ON wanted.trade_no = o.trade_no) AS detail
    JOIN apps a USING (app_id) JOIN merchants m USING (merchant_id)
    LEFT JOIN hosted_orders h USING (trade_no)
    LEFT JOIN checkout_pages p USING (app_id)
    LEFT JOIN chain_cursors c ON c.chain = detail.chain`;

const ORDER_TRANSFERS = `
  SELECT t.* FROM unnest($1::text[]) AS wanted (trade_no) CROSS JOIN LATERAL (
    SELECT * FROM transfers WHERE trade_no = wanted.trade_no AND state <> 'proposed'
    ORDER BY block_number DESC, ordinal LIMIT ${MAX_TRANSFERS}) AS t`;

function toCheckout(row: CheckoutRow, transfers: readonly OrderTransferRow[]): CheckoutOrder {
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
    transfers: transfers.map((transfer) => ({ ...toTransfer(transfer), state: transfer.state })),
  };
}
