// Lowers the fees that a transaction offers until they are within its fee cap.
import { type Amount, compare, unitsOf } from '../money/amount.ts';
import type { EvmTerms, OfferedTerms, SendingTerms } from './terms.ts';

/** `terms` with prices lowered to the cap where they are above it; null where the cap is below what blocks cost now. */
export function capTerms(terms: SendingTerms, most: Amount, cap: Amount): SendingTerms | null {
  // mark: never-above-the-fee-cap
  if (terms.family === 'tron') return compare(most, cap) <= 0 ? terms : null;
  const perGas = highestPrice(terms, cap);
  return perGas < terms.priceThen ? null : withPrices(terms, perGas);
}

/** The highest price of a unit of gas at which the fee is within the cap. */
export function highestPrice({ gasLimit }: OfferedTerms, cap: Amount): bigint {
  return unitsOf(cap) / gasLimit;
}

/** The same terms with no price above `most`. */
export function withPrices(terms: EvmTerms, most: bigint): EvmTerms {
  const lower = (price: bigint): bigint => (price < most ? price : most);
  return {
    ...terms,
    maxFeePerGas: lower(terms.maxFeePerGas),
    maxPriorityFeePerGas: lower(terms.maxPriorityFeePerGas),
  };
}
