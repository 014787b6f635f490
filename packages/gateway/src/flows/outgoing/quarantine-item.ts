// Puts one item of paying or collecting into quarantine, so that the others of its chain go on.
import { type HeldLease, holdsLease } from '../../db/tables/leases.ts';
import {
  insertQuarantine,
  QUARANTINE_MS,
  type QuarantinedItem,
} from '../../db/tables/outgoing/quarantines.ts';
import type { Tx } from '../../db/postgres/tx.ts';

export interface QuarantineItem {
  /** The lease of the work that the item broke. */
  readonly leaseName: string;
  readonly item: QuarantinedItem;
  readonly reason: string;
  readonly nowMs: number;
  readonly lease: HeldLease;
}

/** False where another process does this work now; nothing was written. */
export async function quarantineItem(
  tx: Tx,
  { leaseName, item, reason, nowMs, lease }: QuarantineItem,
): Promise<boolean> {
  if (!(await holdsLease(tx, leaseName, lease))) return false;
  await insertQuarantine(tx, item, { reason, nowMs, untilMs: nowMs + QUARANTINE_MS });
  return true;
}
