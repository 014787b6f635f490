// What happens to an order when a person assigns an unassigned receipt to it (decision B12).
import type { Transfer } from '../chain/transfer.ts';
import { type Amount, add, subtract } from '../money/amount.ts';
import type { Order } from './order.ts';
import { isLate, isPaidInFull, paymentEvent, type SettledPayment, settlePayment } from './transition.ts';

/** A receipt that counts for no order yet, and the app it belongs to. */
export interface Receipt {
  readonly transfer: Transfer;
  /** Null for the gateway itself, whose receipts no order can have. */
  readonly appId: string | null;
}

export type Assignment =
  | ({ readonly outcome: 'assigned' } & SettledPayment)
  | { readonly outcome: 'other-app' }
  | { readonly outcome: 'other-currency' }
  /** The receipt came after the expiry, and the order has not timed out yet. The time-out comes first. */
  | { readonly outcome: 'still-open' };

/**
 * The receipt counts as a payment at the time of its block. A receipt in time can still make a timed-out order PAID, with
 * the one PAID webhook. If the order stays short, its sum changes without a webhook. `paidInTime` is what was paid in time
 * so far; it is less than `collected` where late money came too. `sentBack` was refunded since the time-out. The sum that
 * stays has to be enough as well, and the webhook names that sum.
 */
export function assignReceipt(
  { transfer, appId }: Receipt,
  order: Order,
  { paidInTime, sentBack }: { readonly paidInTime: Amount; readonly sentBack: Amount },
): Assignment {
  if (order.appId !== appId) return { outcome: 'other-app' };
  // mark: assigned-in-its-own-currency
  if (order.currencyId !== transfer.amount.currencyId) return { outcome: 'other-currency' };
  const late = isLate(order, transfer);
  if (order.status === 'TO-BE-PAID' && late) return { outcome: 'still-open' };
  if (order.status !== 'TIME-OUT' || late) {
    return { outcome: 'assigned', ...settlePayment([transfer], order) };
  }
  const inTime = add(paidInTime, transfer.amount);
  const collected = add(order.collected, transfer.amount);
  const kept = subtract(collected, sentBack);
  // mark: assigned-by-what-stays
  const isPaid = [inTime, kept].every((sum) => isPaidInFull({ ...order, collected: sum }));
  const after: Order = {
    ...order,
    collected,
    lastTxId: transfer.txId,
    status: isPaid ? 'PAID' : 'TIME-OUT',
  };
  const events = isPaid ? [paymentEvent({ ...after, collected: kept }, transfer)] : [];
  return { outcome: 'assigned', order: after, disposition: 'payment', events };
}
