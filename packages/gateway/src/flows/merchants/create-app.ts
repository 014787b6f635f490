// Opens an app of a merchant and gives it an account of its own below the seed.
import { assert } from '@ducat/core/assert';
import { insertApp, merchantExists, type NewApp } from '../../db/tables/apps.ts';
import type { Tx } from '../../db/postgres/tx.ts';

export type CreatedApp =
  | { readonly outcome: 'created'; readonly account: number }
  | { readonly outcome: 'merchant-unknown' };

/**
 * Adds the app and returns its account number. The AppKey is sealed already. Only the signer has the account's public key,
 * and no flow reaches the network: the caller asks the signer afterwards and stores the key with `storeAccountKey`.
 */
export async function createApp(tx: Tx, app: NewApp): Promise<CreatedApp> {
  assert(app.name.length > 0 && app.name.length <= 128, 'an app has a name of 1 to 128 characters');
  if (!(await merchantExists(tx, app.merchantId))) return { outcome: 'merchant-unknown' };
  const account = await insertApp(tx, app);
  assert(account !== undefined, 'an inserted app has an account number');
  return { outcome: 'created', account };
}
