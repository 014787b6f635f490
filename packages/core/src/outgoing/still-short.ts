// What a sender lacks for a transaction: an estimate reckons with the highest fee, and a fee cap may lower the terms.
import { type Amount, amountOf, compare, unitsOf } from '../money/amount.ts';
import { mostUnits, type SendingTerms } from './terms.ts';

/** A transaction needs more of a currency than its sender has. */
export interface Lack {
  readonly needed: Amount;
  readonly held: Amount;
}

/** The first lack that remains on these terms; null where none does. `most` is the fee that the estimate reckoned with. */
export function stillShort<Of extends Lack>(
  lacks: readonly Of[],
  { terms, most }: { readonly terms: SendingTerms; readonly most: Amount },
): Of | null {
  const saved = terms.family === 'evm' ? unitsOf(most) - mostUnits(terms) : 0n;
  return (
    lacks.find(({ needed, held }) => {
      const isCoin = needed.currencyId === most.currencyId;
      const less = amountOf(needed.currencyId, unitsOf(needed) - (isCoin ? saved : 0n));
      return compare(less, held) > 0;
    }) ?? null
  );
}
