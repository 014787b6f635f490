// An operator resumes a suspended currency, so that it takes orders again.
import { resumeCurrency } from '../../db/tables/books/currency-suspensions.ts';
import type { Tx } from '../../db/postgres/tx.ts';

/** False where it was not suspended. Present differences count as seen by the operator, so they do not suspend again. */
export function resumeByHand(tx: Tx, currencyId: number): Promise<boolean> {
  return resumeCurrency(tx, currencyId);
}
