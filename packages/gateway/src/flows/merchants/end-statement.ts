// Fixes where a statement that begins now ends: waits for entries that are being booked, and excludes later ones.
import { lockAppAccounts } from '../../db/tables/books/ledger.ts';
import { readNewestEntry } from '../../db/tables/books/newest-entry.ts';
import type { Tx } from '../../db/postgres/tx.ts';

/**
 * The number after the newest entry of the app in that currency. The accounts of the app are locked first, because an entry
 * gets its number before it commits: without the lock, a lower number could commit after a higher one was read.
 */
export async function endStatement(tx: Tx, appId: string, currencyId: number): Promise<number> {
  if (!(await lockAppAccounts(tx, appId, currencyId))) return 0;
  return (await readNewestEntry(tx, appId, currencyId)) + 1;
}
