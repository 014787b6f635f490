// Adds the wallet of an app, or the gateway's own wallet, to the books. From then on the wallet is watched.
import { assert } from '@ducat/core/assert';
import type { Tx } from '../../db/postgres/tx.ts';
import { insertWallet, type WalletOwner } from '../../db/tables/collections/wallets.ts';

/** Throws Bug where the books have another address: it comes from another seed, and money at it could not be moved. */
export async function openWallet(tx: Tx, owner: WalletOwner, address: string): Promise<void> {
  const stored = await insertWallet(tx, owner, address);
  assert(stored === address, `the ${owner.family} wallet of ${owner.appId ?? 'the gateway'} is ${stored}`);
}
