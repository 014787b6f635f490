// Opens the account of an app in one family: its key, its first addresses, and the wallet that its payouts are sent from.
import type { ChainFamily } from '@ducat/core/chain/chain';
import { type KeyBranch, WALLET_INDEX } from '@ducat/core/signing/key-path';
import type { Tx } from '../../db/postgres/tx.ts';
import { openWallet } from '../collections/open-wallet.ts';
import { fillAddressPool } from './fill-address-pool.ts';
import { storeAccountKey } from './store-account-key.ts';

/** How many addresses are made at once, so that the app can take orders. Maintenance makes the rest. */
const FIRST_ADDRESSES = 20;

interface Derives {
  /** The canonical address at an index below an account-level public key. Pure. */
  derive(accountPublicKey: string, index: number, branch?: KeyBranch): string;
}

export interface OpenAppAccount {
  readonly appId: string;
  readonly family: ChainFamily;
  readonly accountPublicKey: string;
  /** The address rules of the family. */
  readonly addresses: Derives;
}

/** Safe to repeat. Throws Bug where the account has another key or wallet: the signer holds another seed. */
export async function openAppAccount(
  tx: Tx,
  { appId, family, accountPublicKey, addresses }: OpenAppAccount,
): Promise<void> {
  const derive = (key: string, index: number) => addresses.derive(key, index);
  await storeAccountKey(tx, { appId, family, accountPublicKey });
  await fillAddressPool(tx, { appId, family, derive, target: FIRST_ADDRESSES });
  await openWallet(tx, { appId, family }, addresses.derive(accountPublicKey, WALLET_INDEX, 'wallet'));
}
