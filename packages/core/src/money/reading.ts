// What one source reported about one price, and what became of it when it was compared with the others.
import { divide, type Rounding } from './amount.ts';

/** Digits behind the point that a price may have. */
export const RATE_DECIMALS = 18;
/** One whole, in the units of a price. */
export const ONE = 10n ** BigInt(RATE_DECIMALS);

export interface Reading {
  readonly source: string;
  /** What is priced, such as "ETH". */
  readonly base: string;
  /** What it is priced in, such as "USD". */
  readonly quote: string;
  /** The price of one whole `base` in units of 10^-18 of `quote`; positive. */
  readonly priceUnits: bigint;
  /** Unix seconds: the source's own time of the price, not when it was fetched. */
  readonly at: number;
}

/**
 * `used`: young, and near the median. `far`: young, but further from the median than the bound. `old` and `ahead`:
 * its time lies too far behind or before ours, so it took no part.
 */
export type Verdict = 'used' | 'far' | 'old' | 'ahead';

/** A reading that was looked at for a rate; kept with the order, so that the rate can be worked out again. */
export interface Evidence extends Reading {
  readonly verdict: Verdict;
}

/** A price of A in B times a price of B in C: the price of A in C. */
export function multiplyPrices(a: bigint, b: bigint, rounding: Rounding): bigint {
  return divide(a * b, ONE, rounding);
}

/** A price of A in C divided by a price of B in C: the price of A in B. */
export function dividePrices(a: bigint, b: bigint, rounding: Rounding): bigint {
  return divide(a * ONE, b, rounding);
}
