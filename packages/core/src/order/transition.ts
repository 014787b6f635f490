// What a final transfer or the passing of time does to an order: the new state, the booking, the events.
import { assert } from '../assert.ts';
import type { Transfer } from '../chain/transfer.ts';
import type { Entry } from '../ledger/entry.ts';
import { bookDeposit, bookUnassignedReceipt } from '../ledger/recipes.ts';
import { add, compare, isPositive, share } from '../money/amount.ts';
import type { PaymentEvent } from '../webhook/event.ts';
import type { Order } from './order.ts';

/** What a transfer turned out to be once it was final. */
export const dispositions = ['payment', 'late', 'extra', 'unassigned'] as const;

export type Disposition = (typeof dispositions)[number];

/**
 * How far a block's clock may run behind ours. A transfer in a block that is older than the order by more than
 * this cannot have been made for the order.
 */
export const CLOCK_TOLERANCE_S = 600;

export interface Settlement {
  /** The order afterwards; null where the transfer counts for none. */
  readonly order: Order | null;
  readonly disposition: Disposition;
  readonly entry: Entry;
  readonly events: readonly PaymentEvent[];
}

/** Whose address was paid, and on what terms. */
export interface Recipient {
  readonly appId: string;
  readonly feePpm: bigint;
  /** The order the address was handed out for, if any. */
  readonly order: Order | null;
}

// ~ tour 9/12: what a final transfer does to an order.
// → packages/core/src/ledger/recipes.ts
/**
 * A transfer to one of our addresses is final. It counts for the order only in the order's own currency and not
 * before the order was made (decisions B8 to B12). A late one first times the order out: its own final block
 * proves that the chain has passed the expiry.
 */
export function settleTransfer(transfer: Transfer, recipient: Recipient): Settlement {
  assert(isPositive(transfer.amount), 'a transfer moves a positive amount');
  const { appId, feePpm, order } = recipient;
  if (order === null || !countsFor(order, transfer)) {
    return {
      order: null,
      disposition: 'unassigned',
      entry: bookUnassignedReceipt(transfer, appId),
      events: [],
    };
  }
  assert(order.appId === appId, `address and order ${order.tradeNo} belong to different apps`);
  const entry = bookDeposit(transfer, appId, feePpm);
  // mark: late-transfer-times-out-first
  const late = transfer.block.time > order.timeExpire;
  const before = order.status === 'TO-BE-PAID' && late ? expireOrder(order) : { order, events: [] };
  const counted = { collected: add(before.order.collected, transfer.amount), lastTxId: transfer.txId };
  if (before.order.status !== 'TO-BE-PAID') {
    const disposition = before.order.status === 'PAID' ? 'extra' : 'late';
    return { order: { ...before.order, ...counted }, disposition, entry, events: before.events };
  }
  const status = isPaidInFull({ ...before.order, ...counted }) ? 'PAID' : 'TO-BE-PAID';
  const after: Order = { ...before.order, ...counted, status };
  return { order: after, disposition: 'payment', entry, events: [paymentEvent(after, transfer)] };
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

function countsFor(order: Order, transfer: Transfer): boolean {
  // mark: other-currency-never-counts
  if (order.currencyId !== transfer.amount.currencyId) return false;
  return transfer.block.time >= order.createTime - CLOCK_TOLERANCE_S;
}

function paymentEvent(order: Order, transfer: Transfer): PaymentEvent {
  return {
    type: 'PAYMENT',
    tradeNo: order.tradeNo,
    status: order.status,
    collected: order.collected,
    txId: transfer.txId,
    time: transfer.block.time,
  };
}
