// What final transfers or the passing of time do to an order: the new state, the booking, the events.
import { assert } from '../assert.ts';
import type { Transfer } from '../chain/transfer.ts';
import { add, compare, isPositive, share } from '../money/amount.ts';
import type { PaymentEvent } from '../webhook/event.ts';
import type { Order } from './order.ts';

/**
 * What a transfer turned out to be once it was final. To an address of ours: `payment` in time, `late`, or `extra` for
 * an order that was paid, else `unassigned`. From one of ours: `sent` to a stranger as an outgoing transaction promised,
 * `outgoing` to a stranger otherwise, `own` to another of ours. `reversed` is not on the chain: it is the counterpart of a
 * receipt that a deep fork took away.
 */
export const dispositions = [
  'payment',
  'late',
  'extra',
  'unassigned',
  'outgoing',
  'sent',
  'own',
  'reversed',
] as const;

/** Those that count for an order or a QR code. */
export const countingDispositions = ['payment', 'late', 'extra'] as const satisfies readonly Disposition[];

export type Disposition = (typeof dispositions)[number];

/**
 * How far a block's clock may run behind ours. A transfer in a block that is older than the order by more than
 * this cannot have been made for the order.
 */
export const CLOCK_TOLERANCE_S = 600;

export interface SettledPayment {
  readonly order: Order;
  /** Of all parts alike. */
  readonly disposition: 'payment' | 'late' | 'extra';
  readonly events: readonly PaymentEvent[];
}

// ~ tour 12/15: what a final payment does to an order.
// → packages/core/src/ledger/recipes.ts
/**
 * Settles all parts that one transaction pays to an order together, with one event for their sum, PAID or not (decisions B8
 * to B11). Each part counts for the order by `countsFor`. A late payment first times the order out, because its own final
 * block proves that the chain has passed the expiry.
 */
export function settlePayment(parts: readonly Transfer[], order: Order): SettledPayment {
  const [transfer] = parts;
  assert(transfer !== undefined, 'a payment has a part');
  assert(
    parts.every(({ txId }) => txId === transfer.txId),
    'a payment is of one transaction',
  );
  // mark: late-transfer-times-out-first
  const late = isLate(order, transfer);
  const before = order.status === 'TO-BE-PAID' && late ? expireOrder(order) : { order, events: [] };
  const collected = parts.reduce((sum, part) => add(sum, part.amount), before.order.collected);
  const counted = { collected, lastTxId: transfer.txId };
  if (before.order.status !== 'TO-BE-PAID') {
    const disposition = before.order.status === 'PAID' ? 'extra' : 'late';
    return { order: { ...before.order, ...counted }, disposition, events: before.events };
  }
  const status = isPaidInFull({ ...before.order, ...counted }) ? 'PAID' : 'TO-BE-PAID';
  const after: Order = { ...before.order, ...counted, status };
  return { order: after, disposition: 'payment', events: [paymentEvent(after, transfer)] };
}

/** Whether a transfer came after the expiry of the order, by the clock of its block. */
export function isLate(order: Pick<Order, 'timeExpire'>, { block }: Pick<Transfer, 'block'>): boolean {
  return block.time > order.timeExpire;
}

/** The chain's final blocks have passed the order's expiry, so nothing in time can come any more. */
export function expireOrder(order: Order): {
  readonly order: Order;
  readonly events: readonly PaymentEvent[];
} {
  assert(order.status === 'TO-BE-PAID', `order ${order.tradeNo} is ${order.status} and cannot time out`);
  const event: PaymentEvent = {
    type: 'PAYMENT',
    tradeNo: order.tradeNo,
    status: 'TIME-OUT',
    collected: order.collected,
    txId: order.lastTxId,
    time: order.timeExpire,
  };
  return { order: { ...order, status: 'TIME-OUT' }, events: [event] };
}

/** Whether what was collected reaches what is due, less the app's tolerance, which is rounded down. */
export function isPaidInFull(order: Pick<Order, 'due' | 'collected' | 'tolerancePpm'>): boolean {
  const { rest: needed } = share(order.due, order.tolerancePpm, 'down');
  return compare(order.collected, needed) >= 0;
}

/** A transfer counts for an order only in the order's own currency, and not before the order was made (decision B12). */
export function countsFor(order: Pick<Order, 'currencyId' | 'createTime'>, transfer: Transfer): boolean {
  assert(isPositive(transfer.amount), 'a transfer moves a positive amount');
  // mark: other-currency-never-counts
  if (order.currencyId !== transfer.amount.currencyId) return false;
  return transfer.block.time >= order.createTime - CLOCK_TOLERANCE_S;
}

/** The event that reports the state of an order after this transfer. */
export function paymentEvent(order: Order, transfer: Pick<Transfer, 'txId' | 'block'>): PaymentEvent {
  return {
    type: 'PAYMENT',
    tradeNo: order.tradeNo,
    status: order.status,
    collected: order.collected,
    txId: transfer.txId,
    time: transfer.block.time,
  };
}
