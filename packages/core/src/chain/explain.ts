// Which of the internal transactions that were reported account for a balance that is higher than expected.
import { assert } from '../assert.ts';
import { type Amount, compare, isPositive, subtract } from '../money/amount.ts';
import type { Transfer } from './transfer.ts';

export interface Explanation {
  /** In the order of the candidates. */
  readonly confirmed: readonly Transfer[];
  /** The part of the difference that no candidate accounts for; never negative. */
  readonly rest: Amount;
}

/**
 * A trace proposes, the balance disposes: candidates are taken in the order of the chain as long as they fit into the
 * difference, and one that is larger than what is left is passed over. So together they never claim more than arrived.
 */
export function explain(difference: Amount, candidates: readonly Transfer[]): Explanation {
  assert(isPositive(difference), 'a balance is explained where it is higher than expected');
  const confirmed: Transfer[] = [];
  let rest = difference;
  for (const candidate of candidates) {
    if (compare(candidate.amount, rest) === 1) continue;
    confirmed.push(candidate);
    rest = subtract(rest, candidate.amount);
  }
  return { confirmed, rest };
}
