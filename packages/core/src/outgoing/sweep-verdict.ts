// The verdict on one address of a sweep. Only the address's own transfers prove it: a sweep succeeds even if one fails.
import type { Transfer } from '../chain/transfer.ts';
import { add, type Amount, zero } from '../money/amount.ts';
import type { PromisedTransfer, Verdict } from './promise.ts';

export interface SweptResult {
  readonly verdict: Verdict;
  /** What the address moved to the wallet; zero where it moved nothing, or something else. */
  readonly moved: Amount;
}

/**
 * `moved` are the final transfers of the sweep that have a side of ours. `succeeded`: everything that left the address is of
 * the currency and went to the wallet. It may be more than was promised, because a sweep takes all that is there. `failed`:
 * nothing left the address.
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
