// What a reversal and a reinstatement of a payment do to its order.
import type { Transfer } from '../chain/transfer.ts';
import { add, type Amount, compare, subtract } from '../money/amount.ts';
import type { PaymentEvent } from '../webhook/event.ts';
import type { Order } from './order.ts';
import { isPaidInFull, paymentEvent } from './transition.ts';

/**
 * The order without a payment that is not on the chain any more. It keeps its status, because `PAID` is final on the wire.
 * Null where more was sent back of the order than would be left.
 */
export function reversePayment(
  order: Order,
  { amount }: Pick<Transfer, 'amount'>,
  sentBack: Amount,
): Order | null {
  const collected = subtract(order.collected, amount);
  // mark: what-was-sent-back-is-not-reversed
  return compare(collected, sentBack) < 0 ? null : { ...order, collected };
}

/**
 * The order with the payment again. An open order may be paid in full by it, because its payer paid a part once more. A
 * person may accept an order that has timed out meanwhile.
 */
export function reinstatePayment(
  order: Order,
  transfer: Transfer,
): { readonly order: Order; readonly events: readonly PaymentEvent[] } {
  const given = { ...order, collected: add(order.collected, transfer.amount) };
  // mark: reinstated-into-an-open-order
  if (order.status !== 'TO-BE-PAID' || !isPaidInFull(given)) return { order: given, events: [] };
  const paid: Order = { ...given, status: 'PAID', lastTxId: transfer.txId };
  return { order: paid, events: [paymentEvent(paid, transfer)] };
}
