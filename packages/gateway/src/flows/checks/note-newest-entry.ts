// Stores the newest entry. The audit may go up to it once every database transaction that is open now has ended.
import { noteNewestEntry as note } from '../../db/tables/books/audit-marks.ts';
import type { HeldLease } from '../../db/tables/leases.ts';
import type { Tx } from '../../db/postgres/tx.ts';
import { mayRecordChecks } from './checks-lease.ts';

/** False where the lease was lost; nothing was written. */
export async function noteNewestEntry(
  tx: Tx,
  { lease, nowMs }: { readonly lease: HeldLease; readonly nowMs: number },
): Promise<boolean> {
  if (!(await mayRecordChecks(tx, lease))) return false;
  await note(tx, nowMs);
  return true;
}
