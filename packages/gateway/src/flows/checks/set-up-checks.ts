// Sets which currencies of a chain are compared with the chain: adds a row for each, and deletes the rows of the others.
import { deleteDifferencesOfOthers } from '../../db/tables/books/balance-differences.ts';
import type { HeldLease } from '../../db/tables/leases.ts';
import { deleteReserveChecks, insertReserveChecks } from '../../db/tables/books/reserve-checks.ts';
import type { Tx } from '../../db/postgres/tx.ts';
import { mayRecordChecks } from './checks-lease.ts';

export interface ChecksSetUp {
  readonly lease: HeldLease;
  readonly chain: string;
  readonly currencyIds: readonly number[];
  /** The final block of the books. Transfers before it are covered by the first round. */
  readonly finalNumber: number;
  readonly nowMs: number;
}

/** False where the lease was lost; nothing was written. */
export async function setUpChecks(tx: Tx, set: ChecksSetUp): Promise<boolean> {
  const { lease, chain, currencyIds, finalNumber, nowMs } = set;
  if (!(await mayRecordChecks(tx, lease))) return false;
  await insertReserveChecks(tx, chain, currencyIds, finalNumber, nowMs);
  await deleteReserveChecks(tx, chain, currencyIds);
  await deleteDifferencesOfOthers(tx, chain, currencyIds);
  return true;
}
