// Terms of a transfer that empties its sender of the coin it pays with: the whole cap is offered, so nothing stays.
import { type Amount } from '../money/amount.ts';
import { highestPrice } from './cap-terms.ts';
import type { SendingTerms } from './terms.ts';

/** Sets fee and tip to the highest price within the cap; null where blocks cost more now. Tron's terms stay as they are. */
export function offerAll(terms: SendingTerms, cap: Amount): SendingTerms | null {
  if (terms.family === 'tron') return terms;
  const perGas = highestPrice(terms, cap);
  if (perGas < terms.priceThen) return null;
  return { ...terms, maxFeePerGas: perGas, maxPriorityFeePerGas: perGas };
}
