// What it does to an order that a person assigns an unassigned receipt to it (decision B12).
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
  /** It came after the expiry and the order has not timed out yet: its time-out comes first. */
  | { readonly outcome: 'still-open' };

/**
 * It counts like a payment of its block's time. In time it may still make an order PAID that has timed out, with the one
 * PAID webhook; what is short of that then changes the sum in silence. `paidInTime` is what the order was paid in time
 * so far, which is less than it collected where late money came too. `sentBack` went back of the order since it timed out:
 * what stays has to be enough as well, and is what the webhook names.
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
