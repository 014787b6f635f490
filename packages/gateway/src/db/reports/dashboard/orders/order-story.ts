// Everything that is known of one order: its row, its payer's choices, its transfers, and reorgs that affected them.
import type { Transfer } from '@ducat/core/chain/transfer';
import type { Amount } from '@ducat/core/money/amount';
import type { Disposition } from '@ducat/core/order/transition';
import type { PayoutStatus } from '@ducat/core/payout/payout';
import type { Reader } from '../../../postgres/tx.ts';
import { fromNumeric } from '../../../tables/amounts.ts';
import { type KeptQuote, quoteFrom } from '../../../tables/orders/quotes.ts';
import { isLeft } from '../../../tables/transfers/reversals.ts';
import { toTransfer, type TransferRow } from '../../../tables/transfers/transfer-row.ts';

export interface StoryTransfer extends Transfer {
  readonly state: 'proposed' | 'seen' | 'final' | 'orphaned';
  readonly disposition: Disposition | null;
  readonly addressId: number | null;
  /** Whether nothing is left to send back: a refund of this receipt alone stands, or it was reversed. */
  readonly isSentBack: boolean;
  /** A person's decision that it counts for the order. */
  readonly assigned: { readonly by: string; readonly reason: string; readonly atMs: number } | null;
}

export interface StoryChoice {
  readonly number: number;
  readonly atMs: number;
  readonly currencyId: number;
  readonly due: Amount;
  readonly address: string;
  readonly quote: KeptQuote | null;
}

export interface StoryReorg {
  readonly atMs: number;
  readonly chain: string;
  readonly fromNumber: number;
  readonly ancestorNumber: number | null;
}

export interface OrderStory {
  readonly transfers: readonly StoryTransfer[];
  readonly choices: readonly StoryChoice[];
  readonly reorgs: readonly StoryReorg[];
  readonly subject: string | null;
  readonly refunds: readonly StoryRefund[];
  readonly acceptance: { readonly by: string; readonly reason: string; readonly atMs: number } | null;
}

/** A payout that refunds the order, or one of its receipts. */
export interface StoryRefund {
  readonly tradeNo: string;
  readonly atMs: number;
  readonly by: string;
  readonly reason: string;
  readonly status: PayoutStatus;
  readonly chain: string;
  readonly amount: Amount;
  /** Canonical. */
  readonly toAddress: string;
  readonly txId: string | null;
}

/** Further rows are not shown. Their sum is in the order. */
const MAX_SHOWN = 100;
/** How far from the time of its block a reorg may have affected a transfer, in milliseconds. */
const FORK_WITHIN_MS = 86_400_000;

interface StoryTransferRow extends TransferRow {
  readonly state: StoryTransfer['state'];
  readonly disposition: Disposition | null;
  readonly address_id: number | null;
  readonly is_kept: boolean;
  readonly assigned_by: string | null;
  readonly reason: string | null;
  readonly at_ms: number | null;
}

/** The story of an order that the caller has found to be the merchant's. */
export async function readOrderStory(reader: Reader, tradeNo: string): Promise<OrderStory> {
  const transfers = await reader.read<StoryTransferRow>(
    `SELECT t.*, ${isLeft('t')} AS is_kept, r.assigned_by, r.reason, r.at_ms
     FROM transfers t LEFT JOIN receipt_assignments r USING (chain, tx_id, position)
     WHERE t.trade_no = $1 ORDER BY t.block_time, t.ordinal LIMIT ${MAX_SHOWN}`,
    [tradeNo],
  );
  const [hosted] = await reader.read<{ subject: string | null }>(
    'SELECT subject FROM hosted_orders WHERE trade_no = $1',
    [tradeNo],
  );
  const [acceptance] = await reader.read<NonNullable<OrderStory['acceptance']>>(
    'SELECT accepted_by AS by, reason, at_ms AS "atMs" FROM order_acceptances WHERE trade_no = $1',
    [tradeNo],
  );
  return {
    transfers: transfers.map(toStoryTransfer),
    choices: hosted === undefined ? [] : await readChoices(reader, tradeNo),
    reorgs: transfers.length === 0 ? [] : await readReorgs(reader, transfers),
    subject: hosted?.subject ?? null,
    refunds: await readRefunds(reader, tradeNo),
    acceptance: acceptance ?? null,
  };
}

async function readRefunds(reader: Reader, tradeNo: string): Promise<readonly StoryRefund[]> {
  const rows = await reader.read<
    Omit<StoryRefund, 'amount'> & { readonly currencyId: number; readonly units: string }
  >(
    `SELECT p.trade_no AS "tradeNo", r.at_ms AS "atMs", r.by, r.reason, p.status, p.chain, p.to_address AS "toAddress",
       p.end_tx_id AS "txId", p.currency_id AS "currencyId", p.amount AS units
     FROM (
       SELECT trade_no, at_ms, refunded_by AS by, reason FROM order_refunds WHERE order_trade_no = $1
       UNION ALL
       SELECT b.trade_no, b.at_ms, b.refunded_by, b.reason
       FROM transfers t JOIN receipt_refunds b USING (chain, tx_id, position)
       WHERE t.trade_no = $1 AND t.disposition IN ('late', 'extra')
     ) AS r JOIN payouts p USING (trade_no) ORDER BY p.trade_no LIMIT ${MAX_SHOWN}`,
    [tradeNo],
  );
  return rows.map(({ currencyId, units, ...refund }) => ({
    ...refund,
    amount: fromNumeric(currencyId, units),
  }));
}

/** The payer's own choices, without the first row, which is what the order began with. */
async function readChoices(reader: Reader, tradeNo: string): Promise<readonly StoryChoice[]> {
  const rows = await reader.read<{
    readonly number: number;
    readonly at_ms: number;
    readonly currency_id: number;
    readonly due: string;
    readonly address: string;
    readonly quote: unknown;
  }>(
    `SELECT c.number, c.at_ms, c.currency_id, c.due, c.quote, d.address
     FROM currency_choices c JOIN addresses d USING (address_id)
     WHERE c.trade_no = $1 AND c.number > 1 ORDER BY c.number LIMIT ${MAX_SHOWN}`,
    [tradeNo],
  );
  return rows.map((row) => ({
    number: row.number,
    atMs: row.at_ms,
    currencyId: row.currency_id,
    due: fromNumeric(row.currency_id, row.due),
    address: row.address,
    quote: row.quote === null ? null : quoteFrom(row.quote),
  }));
}

/** Reorgs that replaced a block which may have held one of the transfers, near the time of that block. */
function readReorgs(reader: Reader, transfers: readonly TransferRow[]): Promise<readonly StoryReorg[]> {
  return reader.read<StoryReorg>(
    `SELECT DISTINCT r.at_ms AS "atMs", r.chain, r.from_number AS "fromNumber", r.ancestor_number AS "ancestorNumber"
     FROM unnest($1::text[], $2::bigint[], $3::bigint[]) AS t (chain, block_number, block_ms)
       JOIN reorgs r ON r.chain = t.chain AND r.at_ms BETWEEN t.block_ms - $4 AND t.block_ms + $4
         AND coalesce(r.ancestor_number, -1) < t.block_number AND r.from_number + 1 >= t.block_number
     ORDER BY 1 LIMIT ${MAX_SHOWN}`,
    [
      transfers.map(({ chain }) => chain),
      transfers.map((row) => row.block_number),
      transfers.map((row) => row.block_time * 1000),
      FORK_WITHIN_MS,
    ],
  );
}

function toStoryTransfer(row: StoryTransferRow): StoryTransfer {
  const { assigned_by: by, reason, at_ms: atMs } = row;
  return {
    ...toTransfer(row),
    state: row.state,
    disposition: row.disposition,
    addressId: row.address_id,
    isSentBack: !row.is_kept,
    assigned: by === null || reason === null || atMs === null ? null : { by, reason, atMs },
  };
}
