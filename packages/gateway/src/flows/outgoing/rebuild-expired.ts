// Lets transactions be built again where no block can ever include their signed bytes any more.
import { isProvenDead } from '@ducat/core/outgoing/outgoing';
import type { Tx } from '../../db/postgres/tx.ts';
import { lockCursor } from '../../db/tables/cursors.ts';
import { type HeldLease, holdsLease, payLease } from '../../db/tables/leases.ts';
import { lockExpiring, rebuild } from '../../db/tables/outgoing/look-again.ts';

export interface RebuildExpired {
  readonly chain: string;
  readonly outgoingIds: readonly string[];
  readonly nowMs: number;
  /** The payer's. Null where a person looks: the proof is in this transaction. */
  readonly lease: HeldLease | null;
}

/**
 * The books are the proof: they hold every block without a gap, each final block is as a quorum reports it, and every
 * block was searched for these transactions. Returns the ids of those that wait again; null where another process pays
 * on the chain now.
 */
export async function rebuildExpired(
  tx: Tx,
  { chain, outgoingIds, nowMs, lease }: RebuildExpired,
): Promise<readonly string[] | null> {
  if (lease !== null && !(await holdsLease(tx, payLease(chain), lease))) return null;
  const { startNumber, finalTime, haltedReason } = await lockCursor(tx, chain, nowMs);
  if (startNumber === null || finalTime === null || haltedReason !== null) return [];
  const expiring = await lockExpiring(tx, chain, outgoingIds);
  const dead = expiring.filter(
    // mark: rebuilt-only-after-proof
    ({ expiresAtMs, reference }) => reference >= startNumber && isProvenDead(expiresAtMs, finalTime),
  );
  const ids = dead.map(({ outgoingId }) => outgoingId);
  await rebuild(tx, ids, nowMs);
  return ids;
}
