// What a sender lacks for the terms it goes by: an estimate takes the dearest, a cap lowers them.
import { type Amount, amountOf, compare, unitsOf } from '../money/amount.ts';
import { mostUnits, type SendingTerms } from './terms.ts';

/** Of a currency, more is needed than the sender has. */
export interface Lack {
  readonly needed: Amount;
  readonly held: Amount;
}

/** The first lack that these terms do not lift; null where there is none. `most` is what the estimate allowed for. */
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
