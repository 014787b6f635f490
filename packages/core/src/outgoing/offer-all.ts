// Terms of a transfer that empties its sender of the coin it pays with: the whole cap is offered, so nothing stays.
import { type Amount } from '../money/amount.ts';
import { highestPrice } from './cap-terms.ts';
import type { SendingTerms } from './terms.ts';

/** Fee and tip alike at the highest price; null where blocks take more now. A chain that burns by use is left as it is. */
export function offerAll(terms: SendingTerms, cap: Amount): SendingTerms | null {
  if (terms.family === 'tron') return terms;
  const perGas = highestPrice(terms, cap);
  if (perGas < terms.priceThen) return null;
  return { ...terms, maxFeePerGas: perGas, maxPriorityFeePerGas: perGas };
}
