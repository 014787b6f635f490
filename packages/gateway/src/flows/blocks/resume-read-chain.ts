// Lets a halted chain run again, if the reason is still the one that the person has read.
import type { Tx } from '../../db/postgres/tx.ts';
import { lockCursor, setHalted } from '../../db/tables/cursors.ts';

export interface ResumeReadChain {
  readonly chain: string;
  /** The reason that the person read. */
  readonly reason: string;
  readonly nowMs: number;
}

/** A chain that was halted again for another reason stays halted. */
export async function resumeReadChain(
  tx: Tx,
  { chain, reason, nowMs }: ResumeReadChain,
): Promise<'resumed' | 'changed'> {
  const { haltedReason } = await lockCursor(tx, chain, nowMs);
  if (haltedReason !== reason) return 'changed';
  await setHalted(tx, chain, null);
  return 'resumed';
}
