// Releases the leases of claims that nobody began to send: the attempts were never made, the events are due as before.
import type { Tx } from '../../db/postgres/tx.ts';
import type { ClaimedDelivery } from '../../db/tables/deliveries/claims.ts';
import { releaseClaims } from '../../db/tables/deliveries/releases.ts';

export interface Released {
  readonly released: number;
  /** The events that another transaction holds: nothing was done with them, and they may be tried again. */
  readonly locked: readonly string[];
}

/**
 * Releases those claims that are still the newest of their events. Only the process that made a claim and will never send it may
 * call this, and once only: the number of the attempt is free again, so a second call after an unknown outcome could
 * take the claim of another process away. What is not released is due again when its lease has ended.
 */
export async function releaseDeliveries(
  tx: Tx,
  deliveries: readonly Pick<ClaimedDelivery, 'eventId' | 'attempt' | 'dueAtMs'>[],
): Promise<Released> {
  const rows = await releaseClaims(tx, deliveries);
  const locked = rows.filter((row) => row.isLocked).map(({ eventId }) => eventId);
  return { released: rows.length - locked.length, locked };
}
