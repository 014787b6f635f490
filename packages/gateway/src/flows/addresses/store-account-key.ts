// Keeps the account-level public key that the signer gave out for an app.
import { assert } from '@ducat/core/assert';
import { insertAccountKey } from '../../db/tables/apps.ts';
import type { Tx } from '../../db/postgres/tx.ts';

export interface AccountKey {
  readonly appId: string;
  readonly family: string;
  readonly accountPublicKey: string;
}

/** Stores the key once. Another key of the same app and family throws Bug: it would orphan addresses already handed out. */
export async function storeAccountKey(tx: Tx, key: AccountKey): Promise<void> {
  const stored = await insertAccountKey(tx, key);
  assert(
    stored === key.accountPublicKey,
    `app ${key.appId} already has another ${key.family} account key; the signer holds another seed`,
  );
}
