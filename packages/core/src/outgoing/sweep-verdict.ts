// What became of one address of a sweep: only its own transfers prove anything, as a sweep succeeds whatever they do.
import type { Transfer } from '../chain/transfer.ts';
import { add, type Amount, zero } from '../money/amount.ts';
import type { PromisedTransfer, Verdict } from './promise.ts';

export interface SweptResult {
  readonly verdict: Verdict;
  /** What it moved to the wallet; zero where that is nothing. */
  readonly moved: Amount;
}

/**
 * `moved` are the final transfers of the sweep that have a side of ours. `succeeded`: everything that left the address is of the
 * currency and went to the wallet; it may be more than was promised, as a sweep takes what is there. `failed`: nothing left.
 */
export function sweptBy({ from, to, amount }: PromisedTransfer, moved: readonly Transfer[]): SweptResult {
  const { currencyId } = amount;
  // mark: swept-by-its-own-transfers
  const left = moved.filter((one) => one.from === from);
  const isRight = left.every((one) => one.to === to && one.amount.currencyId === currencyId);
  if (!isRight) return { verdict: 'mismatched', moved: zero(currencyId) };
  const sum = left.map((one) => one.amount).reduce(add, zero(currencyId));
  return { verdict: left.length === 0 ? 'failed' : 'succeeded', moved: sum };
}
