// Makes the wallet of an app, or the one of the gateway itself, known to the books: from then on it is watched.
import { assert } from '@ducat/core/assert';
import type { Tx } from '../../db/postgres/tx.ts';
import { insertWallet, type WalletOwner } from '../../db/tables/collections/wallets.ts';

/** Throws Bug where another address stands there: the keys are of another seed, and nobody could move what goes there. */
export async function openWallet(tx: Tx, owner: WalletOwner, address: string): Promise<void> {
  const stored = await insertWallet(tx, owner, address);
  assert(stored === address, `the ${owner.family} wallet of ${owner.appId ?? 'the gateway'} is ${stored}`);
}
