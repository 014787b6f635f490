// Gives a lease back, so that a process that stands by need not wait for it to be seen dead.
import { freeLease, type HeldLease } from '../../db/tables/leases.ts';
import type { Tx } from '../../db/postgres/tx.ts';

/** False where this process no longer holds it, which leaves nothing to give back. */
export function releaseLease(tx: Tx, name: string, held: HeldLease): Promise<boolean> {
  return freeLease(tx, name, held);
}
