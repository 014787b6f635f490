// Releases the leases of claims that were never sent. Their attempts do not count, and the events are due as before.
import type { Tx } from '../../db/postgres/tx.ts';
import type { ClaimedDelivery } from '../../db/tables/deliveries/claims.ts';
import { releaseClaims } from '../../db/tables/deliveries/releases.ts';

export interface Released {
  readonly released: number;
  /** The events whose row lock another transaction has. They were not released, and the call may be retried for them. */
  readonly locked: readonly string[];
}

/**
 * Releases the claims that are still the newest of their events. Only the process that made a claim may call this, once,
 * and only if it will never send the attempt. The number of the attempt becomes free again, so a second call after an
 * unknown outcome could release the claim of another process. A claim that is not released is due again after its lease.
 */
export async function releaseDeliveries(
  tx: Tx,
  deliveries: readonly Pick<ClaimedDelivery, 'eventId' | 'attempt' | 'dueAtMs'>[],
): Promise<Released> {
  const rows = await releaseClaims(tx, deliveries);
  const locked = rows.filter((row) => row.isLocked).map(({ eventId }) => eventId);
  return { released: rows.length - locked.length, locked };
}
