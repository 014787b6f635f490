// Stores what providers answered to a broadcast, and when the transactions are checked again.
import type { Tx } from '../../db/postgres/tx.ts';
import { type HeldLease, holdsLease, payLease } from '../../db/tables/leases.ts';
import { type NextLook, putOff } from '../../db/tables/outgoing/look-again.ts';
import { countSends, type SentVariant } from '../../db/tables/outgoing/variants.ts';

export interface RecordSends {
  readonly chain: string;
  /** The variants that were broadcast; may be empty. */
  readonly sent: readonly SentVariant[];
  readonly looks: readonly NextLook[];
  readonly nowMs: number;
  readonly lease: HeldLease;
}

/** False where another process pays on the chain now: nothing was written, and that process broadcasts the same bytes. */
export async function recordSends(
  tx: Tx,
  { chain, sent, looks, nowMs, lease }: RecordSends,
): Promise<boolean> {
  if (!(await holdsLease(tx, payLease(chain), lease))) return false;
  if (sent.length > 0) await countSends(tx, sent, nowMs);
  await putOff(tx, looks, nowMs);
  return true;
}
