// Whether addresses are emptied by one transaction for all of them, or each by itself after the gas wallet has funded it.
import { add, type Amount, amountOf, compare, isPositive, partOf, zero } from '../money/amount.ts';

export interface SweepCosts {
  /** What emptying each address by itself is expected to cost, with its funding. At least one address. */
  readonly alone: readonly Amount[];
  /** What the one transaction for all of them is expected to cost. */
  readonly together: Amount;
  /** What making the sweeper is expected to cost; null where it is there. */
  readonly deployment: Amount | null;
}

export type SweepChoice =
  | { readonly kind: 'alone' }
  /** A single sweep already saves more than making the sweeper costs. */
  | { readonly kind: 'deploy' }
  /** The share of each address in the expected cost, rounded up, so that all shares cover the cost. */
  | { readonly kind: 'together'; readonly share: Amount };

/** All costs are in the native currency. Where both ways cost the same, each address is emptied by itself. */
export function chooseSweep({ alone, together, deployment }: SweepCosts): SweepChoice {
  const { currencyId } = together;
  const each = alone.reduce(add, zero(currencyId));
  const all = deployment === null ? together : add(together, deployment);
  // mark: together-only-where-cheaper
  if (compare(all, each) >= 0) return { kind: 'alone' };
  if (deployment !== null) return { kind: 'deploy' };
  const share = partOf(together, BigInt(alone.length), 'up');
  return { kind: 'together', share: isPositive(share) ? share : amountOf(currencyId, 1n) };
}
