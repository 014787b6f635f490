// Puts one item of paying into quarantine, so that the others of its chain go on.
import { type HeldLease, holdsLease, payLease } from '../../db/tables/leases.ts';
import { insertQuarantine, type PayableItem } from '../../db/tables/outgoing/quarantines.ts';
import type { Tx } from '../../db/postgres/tx.ts';

/** It is tried again by itself: an upgrade may have mended what broke it. */
const QUARANTINE_MS = 60 * 60_000;

export interface QuarantineItem {
  readonly chain: string;
  readonly item: PayableItem;
  readonly reason: string;
  readonly nowMs: number;
  readonly lease: HeldLease;
}

/** False where another process pays on the chain now; nothing was written. */
export async function quarantineItem(
  tx: Tx,
  { chain, item, reason, nowMs, lease }: QuarantineItem,
): Promise<boolean> {
  if (!(await holdsLease(tx, payLease(chain), lease))) return false;
  await insertQuarantine(tx, item, { reason, nowMs, untilMs: nowMs + QUARANTINE_MS });
  return true;
}
