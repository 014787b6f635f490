// Lets a chain run again whose reason to stand still a person has read: that one, and no newer one.
import type { Tx } from '../../db/postgres/tx.ts';
import { lockCursor, setHalted } from '../../db/tables/cursors.ts';

export interface ResumeReadChain {
  readonly chain: string;
  /** What the person read. */
  readonly reason: string;
  readonly nowMs: number;
}

/** A chain that stopped anew meanwhile stays stopped. */
export async function resumeReadChain(
  tx: Tx,
  { chain, reason, nowMs }: ResumeReadChain,
): Promise<'resumed' | 'changed'> {
  const { haltedReason } = await lockCursor(tx, chain, nowMs);
  if (haltedReason !== reason) return 'changed';
  await setHalted(tx, chain, null);
  return 'resumed';
}
