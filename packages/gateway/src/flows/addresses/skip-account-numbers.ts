// After a backup was restored: skips the account numbers that may have gone to apps since the backup was made.
import { assert } from '@ducat/core/assert';
import { skipAccounts } from '../../db/tables/apps.ts';
import type { Tx } from '../../db/postgres/tx.ts';

const MAX_SKIPPED = 10_000;

/** The next `count` account numbers go to no app. Otherwise a new app could get the addresses of an app that was lost. */
export async function skipAccountNumbers(tx: Tx, count: number): Promise<void> {
  assert(Number.isInteger(count) && count >= 0 && count <= MAX_SKIPPED, 'between 0 and 10,000 are left out');
  if (count > 0) await skipAccounts(tx, count);
}
