// Wallets: where collected money goes, and what pays for collecting. Each owner's is at the first index of its branch.
import type { ChainFamily } from '@ducat/core/chain/chain';
import { WALLET_INDEX } from '@ducat/core/signing/key-path';
import type { Reader, Tx } from '../../postgres/tx.ts';

/** A null `appId` stands for the gateway itself, whose wallet pays for gas. */
export interface WalletOwner {
  readonly appId: string | null;
  readonly family: ChainFamily;
}

/** The wallet's address; null if it was never made. */
export async function findWallet(reader: Reader, { appId, family }: WalletOwner): Promise<string | null> {
  const [row] = await reader.read<{ address: string }>(
    `SELECT address FROM addresses WHERE app_id IS NOT DISTINCT FROM $1 AND family = $2 AND purpose = 'wallet'
       AND derivation_index = $3`,
    [appId, family, WALLET_INDEX],
  );
  return row?.address ?? null;
}

/** The account key that an app's wallet is derived from; null where the app has none for this family. */
export async function findAccountKey(reader: Reader, { appId, family }: WalletOwner): Promise<string | null> {
  const [row] = await reader.read<{ account_public_key: string }>(
    'SELECT account_public_key FROM account_keys WHERE app_id = $1 AND family = $2',
    [appId, family],
  );
  return row?.account_public_key ?? null;
}

/** Stores the address unless one is there; returns the stored one. If they differ, the stored one has another seed. */
export async function insertWallet(
  tx: Tx,
  { appId, family }: WalletOwner,
  address: string,
): Promise<string | null> {
  await tx.write(
    `INSERT INTO addresses (app_id, family, derivation_index, address, purpose) VALUES ($1, $2, $3, $4, 'wallet')
     ON CONFLICT DO NOTHING`,
    [appId, family, WALLET_INDEX, address],
  );
  return findWallet(tx, { appId, family });
}

export interface ListedWallet {
  readonly family: ChainFamily;
  readonly address: string;
}

/** All wallets, the oldest first. */
export function listWallets(reader: Reader, limit: number): Promise<readonly ListedWallet[]> {
  return reader.read<ListedWallet>(
    "SELECT family, address FROM addresses WHERE purpose = 'wallet' ORDER BY address_id LIMIT $1",
    [limit],
  );
}
