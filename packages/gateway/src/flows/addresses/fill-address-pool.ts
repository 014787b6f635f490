// Derives deposit addresses ahead of need, from the app's public key alone.
import { assert } from '@ducat/core/assert';
import type { ChainFamily } from '@ducat/core/chain/chain';
import { insertAddresses, lockPool } from '../../db/tables/addresses.ts';
import type { Tx } from '../../db/postgres/tx.ts';

/** Addresses made in one transaction at the most; deriving one takes about half a millisecond. */
const MAX_AT_ONCE = 200;

export interface FillAddressPool {
  readonly appId: string;
  readonly family: ChainFamily;
  /** Derives the canonical address at an index below an account-level public key. Pure. */
  readonly derive: (accountPublicKey: string, index: number) => string;
  /** How many free addresses there shall be. */
  readonly target: number;
}

/** Fills one pool towards its target; returns how many addresses were added. */
export async function fillAddressPool(
  tx: Tx,
  { appId, family, derive, target }: FillAddressPool,
): Promise<number> {
  const pool = await lockPool(tx, appId, family);
  assert(pool !== null, `app ${appId} has no public key for ${family}`);
  const missing = Math.min(MAX_AT_ONCE, target - pool.free);
  if (missing <= 0) return 0;
  const addresses = Array.from({ length: missing }, (_, place) =>
    derive(pool.accountPublicKey, pool.nextIndex + place),
  );
  await insertAddresses(tx, appId, family, pool.nextIndex, addresses);
  return missing;
}
