// Gives a lease back, so that a standby can take it at once and need not wait until the holder counts as dead.
import { freeLease, type HeldLease } from '../../db/tables/leases.ts';
import type { Tx } from '../../db/postgres/tx.ts';

/** False where this process no longer holds the lease, so there was nothing to give back. */
export function releaseLease(tx: Tx, name: string, held: HeldLease): Promise<boolean> {
  return freeLease(tx, name, held);
}
