// Renews a lease, which shows the standbys that its holder lives.
import { countRenewal, type HeldLease } from '../../db/tables/leases.ts';
import type { Tx } from '../../db/postgres/tx.ts';

/** False where this process no longer holds the lease. */
export function renewLease(tx: Tx, name: string, held: HeldLease): Promise<boolean> {
  return countRenewal(tx, name, held);
}
