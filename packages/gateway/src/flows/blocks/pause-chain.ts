// An operator stops a chain by hand: nothing of it is accepted or settled, ordered or paid out, until it is resumed.
import type { Tx } from '../../db/postgres/tx.ts';
import { lockCursor, setHalted } from '../../db/tables/cursors.ts';

export interface PauseChain {
  readonly chain: string;
  /** Who pauses it, and why. */
  readonly reason: string;
  readonly nowMs: number;
}

/** The watcher of the chain meets it in its next transaction. A reason that stands is kept. */
export async function pauseChain(
  tx: Tx,
  { chain, reason, nowMs }: PauseChain,
): Promise<'paused' | 'halted-before'> {
  const { haltedReason } = await lockCursor(tx, chain, nowMs);
  if (haltedReason !== null) return 'halted-before';
  await setHalted(tx, chain, reason);
  return 'paused';
}
