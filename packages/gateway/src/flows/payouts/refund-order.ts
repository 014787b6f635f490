// A person refunds a paid order, fully or in part: makes a payout of the order's app that is bound to the order.
import { checkOrderRefund } from '@ducat/core/payout/order-refund';
import type { Tx } from '../../db/postgres/tx.ts';
import { lockOrders } from '../../db/tables/orders/orders.ts';
import { insertOrderRefund, readSentBack } from '../../db/tables/payouts/order-refunds.ts';
import { findPayoutByKey } from '../../db/tables/payouts/payouts.ts';
import { type CreatedPayout, type CreatePayout, createPayout } from './create-payout.ts';

/** The order that is refunded, who refunds it, and why: kept for ever. */
export interface RefundOf {
  readonly orderTradeNo: string;
  readonly by: string;
  readonly reason: string;
}

/**
 * The order's row is locked first, so that other refunds of the order and of its receipts wait and count this one. An order
 * of another app is refused like an unknown one.
 */
export async function refundOrder(tx: Tx, payout: CreatePayout, refund: RefundOf): Promise<CreatedPayout> {
  const { orderTradeNo } = refund;
  const { appId, idempotencyKey, currency, amount, tradeNo, nowMs: atMs } = payout;
  const order = (await lockOrders(tx, [orderTradeNo])).get(orderTradeNo);
  if (order === undefined || order.appId !== appId) return { outcome: 'refused', refusal: unknownOrder };
  // Checked before the amount: a payout of the same call counts as sent back already.
  const standing = await findPayoutByKey(tx, appId, idempotencyKey);
  if (standing !== null) return { outcome: 'exists', payout: standing };
  const sentBack = await readSentBack(tx, orderTradeNo, order.currencyId);
  const allowed = checkOrderRefund({ ...order, sentBack }, currency, amount);
  if (!allowed.ok) return { outcome: 'refused', refusal: allowed.refusal };
  const created = await createPayout(tx, payout);
  if (created.outcome === 'created') await insertOrderRefund(tx, { ...refund, tradeNo, atMs });
  return created;
}

const unknownOrder = { code: 'order-unknown', message: 'the app has no such order' } as const;
