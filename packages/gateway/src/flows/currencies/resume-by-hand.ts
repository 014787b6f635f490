// An operator lets a suspended currency take orders again: nothing else ever does.
import { resumeCurrency } from '../../db/tables/books/currency-suspensions.ts';
import type { Tx } from '../../db/postgres/tx.ts';

/** False where it was not suspended. Differences that stand now were seen by the operator and do not suspend again. */
export function resumeByHand(tx: Tx, currencyId: number): Promise<boolean> {
  return resumeCurrency(tx, currencyId);
}
