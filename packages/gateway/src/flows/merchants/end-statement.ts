// Where a statement that is begun now ends: whatever is being booked is waited for, and what is booked later is behind it.
import { lockAppAccounts } from '../../db/tables/books/ledger.ts';
import { readNewestEntry } from '../../db/tables/books/newest-entry.ts';
import type { Tx } from '../../db/postgres/tx.ts';

/**
 * The number behind the newest entry of the app in that currency. Its accounts are locked for two statements: entries are
 * numbered when they are begun, so without the wait a lower number could be committed while a higher one is read.
 */
export async function endStatement(tx: Tx, appId: string, currencyId: number): Promise<number> {
  if (!(await lockAppAccounts(tx, appId, currencyId))) return 0;
  return (await readNewestEntry(tx, appId, currencyId)) + 1;
}
