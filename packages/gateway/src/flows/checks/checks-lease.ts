// The lease of the one process that checks the books: what it writes, it writes under this lease or not at all.
import { type HeldLease, holdsLease } from '../../db/tables/leases.ts';
import type { Tx } from '../../db/postgres/tx.ts';

export const CHECKS_LEASE = 'books';

/** Whether the process still has it; kept from being taken over until the transaction ends. */
export function mayRecordChecks(tx: Tx, held: HeldLease): Promise<boolean> {
  return holdsLease(tx, CHECKS_LEASE, held);
}
