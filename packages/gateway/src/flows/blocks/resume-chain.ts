// Lets a chain that was stopped run again, after a human has looked at why it stopped.
import { lockCursor, setHalted } from '../../db/tables/cursors.ts';
import type { Tx } from '../../db/postgres/tx.ts';

/** Returns the reason for which the chain was halted, or null where it was not halted. */
export async function resumeChain(tx: Tx, chain: string, nowMs: number): Promise<string | null> {
  const { haltedReason } = await lockCursor(tx, chain, nowMs);
  await setHalted(tx, chain, null);
  return haltedReason;
}
