// After a backup was restored: retires every address that may have been handed out since the backup was made.
import { assert } from '@ducat/core/assert';
import type { ChainFamily } from '@ducat/core/chain/chain';
import { insertAddresses, lockPool, markRetired } from '../../db/tables/addresses.ts';
import type { Tx } from '../../db/postgres/tx.ts';

/** Indices derived ahead in one call at the most; deriving one takes about half a millisecond. */
export const MAX_RETIRED_AHEAD = 10_000;

export interface RetireAddresses {
  readonly appId: string;
  readonly family: ChainFamily;
  /** Derives the canonical address at an index below an account-level public key. Pure. */
  readonly derive: (accountPublicKey: string, index: number) => string;
  /** How many indices beyond the last known one may have been handed out since the backup. */
  readonly ahead: number;
}

/**
 * Retires the addresses of one pool and derives `ahead` further addresses as retired. All of them stay watched, so that
 * money for a lost order is found. None of them is handed out again, so that such money counts for no other order.
 * Returns the first free index.
 */
export async function retireAddresses(
  tx: Tx,
  { appId, family, derive, ahead }: RetireAddresses,
): Promise<number> {
  assert(
    Number.isInteger(ahead) && ahead >= 0 && ahead <= MAX_RETIRED_AHEAD,
    'between 0 and 10,000 indices are retired ahead',
  );
  const pool = await lockPool(tx, appId, family);
  assert(pool !== null, `app ${appId} has no public key for ${family}`);
  await markRetired(tx, appId, family);
  const addresses = Array.from({ length: ahead }, (_, place) =>
    derive(pool.accountPublicKey, pool.nextIndex + place),
  );
  await insertAddresses(tx, appId, family, pool.nextIndex, addresses, { retired: true });
  return pool.nextIndex + ahead;
}
