// The lease of the one process that checks the books. All writes of the checks are made under this lease.
import { type HeldLease, holdsLease } from '../../db/tables/leases.ts';
import type { Tx } from '../../db/postgres/tx.ts';

export const CHECKS_LEASE = 'books';

/** Whether the process still has the lease. The lease cannot be taken over until the transaction ends. */
export function mayRecordChecks(tx: Tx, held: HeldLease): Promise<boolean> {
  return holdsLease(tx, CHECKS_LEASE, held);
}
