// Stores the results of checking holdings: when each holding is checked again, and why it was not collected.
import type { Tx } from '../../db/postgres/tx.ts';
import {
  dropHoldings,
  type HoldingLook,
  type LookedAt,
  putOffHoldings,
} from '../../db/tables/collections/holdings.ts';
import { collectLease, type HeldLease, holdsLease } from '../../db/tables/leases.ts';

export interface RecordLooks {
  readonly chain: string;
  readonly looks: readonly HoldingLook[];
  /** Holdings of which nothing is left to collect. */
  readonly empty: readonly LookedAt[];
  readonly nowMs: number;
  readonly lease: HeldLease;
}

/** False where another process collects on the chain now; nothing was written. */
export async function recordLooks(
  tx: Tx,
  { chain, looks, empty, nowMs, lease }: RecordLooks,
): Promise<boolean> {
  if (!(await holdsLease(tx, collectLease(chain), lease))) return false;
  await putOffHoldings(tx, looks, nowMs);
  await dropHoldings(tx, empty);
  return true;
}
