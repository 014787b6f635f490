// Keeps what a transaction offers below what it may cost.
import { type Amount, compare, unitsOf } from '../money/amount.ts';
import type { EvmTerms, OfferedTerms, SendingTerms } from './terms.ts';

/** The highest terms up to these that stay within the cap; null where not even the price of now does. */
export function capTerms(terms: SendingTerms, most: Amount, cap: Amount): SendingTerms | null {
  // mark: never-above-the-fee-cap
  if (terms.family === 'tron') return compare(most, cap) <= 0 ? terms : null;
  const perGas = highestPrice(terms, cap);
  return perGas < terms.priceThen ? null : withPrices(terms, perGas);
}

/** For a unit of gas. */
export function highestPrice({ gasLimit }: OfferedTerms, cap: Amount): bigint {
  return unitsOf(cap) / gasLimit;
}

/** The same terms with no price above this one. */
export function withPrices(terms: EvmTerms, most: bigint): EvmTerms {
  const lower = (price: bigint): bigint => (price < most ? price : most);
  return {
    ...terms,
    maxFeePerGas: lower(terms.maxFeePerGas),
    maxPriorityFeePerGas: lower(terms.maxPriorityFeePerGas),
  };
}
