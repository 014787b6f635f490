// How far the payment of an order is, as its payer is shown it. A seen transfer is shown, but counts for nothing yet.
import { type ChainDefinition, confirmationsOf } from '../chain/chain.ts';
import { type Currency, creditBound } from '../chain/currency.ts';
import type { Transfer } from '../chain/transfer.ts';
import { add, type Amount, compare, isPositive, subtract, zero } from '../money/amount.ts';
import type { Order } from './order.ts';
import { countsFor, isLate, isPaidInFull } from './transition.ts';

/** A transfer to an address of the order. */
export interface OrderTransfer extends Transfer {
  readonly state: 'seen' | 'final' | 'orphaned';
}

export type PaymentState =
  /** Nothing came yet. */
  | 'waiting'
  /** Enough was seen, and is not final yet. */
  | 'seen'
  /** Something came, and the rest can still be sent. */
  | 'part'
  | 'paid'
  /** Something came after the deadline. */
  | 'late'
  /** The deadline has passed, and less came than was due. */
  | 'short'
  /** The deadline has passed, and nothing came. */
  | 'expired'
  /** A reorg took the payment away; mostly it comes back within a few blocks. */
  | 'reorg';

export interface PaymentProgress {
  readonly state: PaymentState;
  /** Final and seen together. */
  readonly got: Amount;
  readonly missing: Amount;
  readonly extra: Amount;
  /** Of the newest transfer that is not final; null where there is none. */
  readonly confirmations: number | null;
}

export interface ProgressInput {
  readonly order: Order;
  readonly transfers: readonly OrderTransfer[];
  readonly currency: Currency;
  readonly chain: Pick<ChainDefinition, 'confirmations'>;
  /** Number of the newest accepted block; null before the first. */
  readonly head: number | null;
  /** Unix seconds. */
  readonly now: number;
}

export function progressOf(input: ProgressInput): PaymentProgress {
  const { order, chain, head } = input;
  const counting = input.transfers.filter((transfer) => isCounted(transfer, input));
  const seen = counting.filter(({ state }) => state === 'seen');
  const got = seen.reduce((sum, { amount }) => add(sum, amount), order.collected);
  const over = subtract(got, order.due);
  const none = zero(order.currencyId);
  const newest = Math.max(...seen.map(({ block }) => block.number));
  return {
    state: stateOf(input, counting, got),
    got,
    missing: isPositive(over) ? none : subtract(order.due, got),
    extra: isPositive(over) ? over : none,
    confirmations: seen.length === 0 ? null : confirmationsOf(chain, head ?? 0, newest),
  };
}

function isCounted(transfer: OrderTransfer, { order, currency }: ProgressInput): boolean {
  return countsFor(order, transfer) && compare(transfer.amount, creditBound(currency)) <= 0;
}

function stateOf(input: ProgressInput, counting: readonly OrderTransfer[], got: Amount): PaymentState {
  const { order, now } = input;
  if (order.status === 'PAID') return 'paid';
  const standing = counting.filter(({ state }) => state !== 'orphaned');
  const isOver = order.status === 'TIME-OUT' || now > order.timeExpire;
  if (standing.some((transfer) => isLate(order, transfer))) return 'late';
  if (order.status === 'TO-BE-PAID' && isPaidInFull({ ...order, collected: got })) return 'seen';
  if (order.status === 'TO-BE-PAID' && isReordering(input, counting)) return 'reorg';
  if (isPositive(got)) return isOver ? 'short' : 'part';
  return isOver ? 'expired' : 'waiting';
}

/** An orphaned transfer counts for as many blocks as make one final: by then another block holds it, or it was replaced. */
function isReordering({ head, chain }: ProgressInput, counting: readonly OrderTransfer[]): boolean {
  return counting.some(
    ({ state, block }) => state === 'orphaned' && (head ?? 0) < block.number + chain.confirmations,
  );
}
