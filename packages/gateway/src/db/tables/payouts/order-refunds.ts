// Refunds of paid orders: which payout sends back which order, who decided it, and how much is sent back in all.
import type { Amount } from '@ducat/core/money/amount';
import type { Reader, Tx } from '../../postgres/tx.ts';
import { fromNumeric } from '../amounts.ts';
import { sentBackBy } from './receipt-refunds.ts';

export interface NewOrderRefund {
  /** The trade_no of the payout. */
  readonly tradeNo: string;
  readonly orderTradeNo: string;
  readonly by: string;
  readonly reason: string;
  readonly atMs: number;
}

export async function insertOrderRefund(tx: Tx, refund: NewOrderRefund): Promise<void> {
  const { tradeNo, orderTradeNo, by, reason, atMs } = refund;
  await tx.write(
    `INSERT INTO order_refunds (trade_no, order_trade_no, refunded_by, reason, at_ms) VALUES ($1, $2, $3, $4, $5)`,
    [tradeNo, orderTradeNo, by, reason, atMs],
  );
}

/** SQL: how much of the order with this number was or is being sent back, by refunds of it and of its late and extra receipts. */
export const sentBackOf = (tradeNo: string) => `(
  (SELECT coalesce(sum(${sentBackBy('t.units')}), 0)
   FROM transfers t JOIN receipt_refunds r USING (chain, tx_id, position) JOIN payouts p ON p.trade_no = r.trade_no
   WHERE t.trade_no = ${tradeNo} AND t.disposition IN ('late', 'extra'))
  + (SELECT coalesce(sum(${sentBackBy('p.amount')}), 0)
   FROM order_refunds r JOIN payouts p USING (trade_no) WHERE r.order_trade_no = ${tradeNo}))`;

/** A flow that decides by it locks the order first, and reads this in a second statement. */
export async function readSentBack(reader: Reader, tradeNo: string, currencyId: number): Promise<Amount> {
  const [row] = await reader.read<{ readonly units: string }>(
    `SELECT ${sentBackOf('$1::text')}::text AS units`,
    [tradeNo],
  );
  return fromNumeric(currencyId, row?.units ?? '0');
}

export interface PayoutRefund {
  /** Null if the payout sends back a receipt that counts for no order. */
  readonly orderTradeNo: string | null;
  readonly by: string;
  readonly reason: string;
}

/**
 * The refund that a payout makes: of an order, in part or whole, or of a receipt that came for it. Null if it is no refund.
 */
export async function findRefundBy(reader: Reader, tradeNo: string): Promise<PayoutRefund | null> {
  const [row] = await reader.read<PayoutRefund>(
    `SELECT order_trade_no AS "orderTradeNo", refunded_by AS by, reason FROM order_refunds WHERE trade_no = $1
     UNION ALL
     SELECT CASE WHEN t.disposition IN ('late', 'extra') THEN t.trade_no END, r.refunded_by, r.reason
     FROM receipt_refunds r JOIN transfers t USING (chain, tx_id, position) WHERE r.trade_no = $1`,
    [tradeNo],
  );
  return row ?? null;
}
