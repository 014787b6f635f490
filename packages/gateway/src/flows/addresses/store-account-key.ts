// Keeps the account-level public key that the signer gave out for an app.
import { assert } from '@ducat/core/assert';
import { insertAccountKey } from '../../db/tables/apps.ts';
import type { Tx } from '../../db/postgres/tx.ts';

export interface AccountKey {
  readonly appId: string;
  readonly family: string;
  readonly accountPublicKey: string;
}

/** Stores the key once. Another key for the same app and family would orphan addresses that were handed out: a Bug. */
export async function storeAccountKey(tx: Tx, key: AccountKey): Promise<void> {
  const stored = await insertAccountKey(tx, key);
  assert(
    stored === key.accountPublicKey,
    `app ${key.appId} already has another ${key.family} account key; the signer holds another seed`,
  );
}
