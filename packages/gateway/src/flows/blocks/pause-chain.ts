// An operator halts a chain by hand. Until it is resumed, no block is accepted or settled, and nothing is ordered or paid.
import type { Tx } from '../../db/postgres/tx.ts';
import { lockCursor, setHalted } from '../../db/tables/cursors.ts';

export interface PauseChain {
  readonly chain: string;
  /** Who pauses it, and why. */
  readonly reason: string;
  readonly nowMs: number;
}

/** The watcher stops in its next transaction. A chain that is halted already keeps its reason. */
export async function pauseChain(
  tx: Tx,
  { chain, reason, nowMs }: PauseChain,
): Promise<'paused' | 'halted-before'> {
  const { haltedReason } = await lockCursor(tx, chain, nowMs);
  if (haltedReason !== null) return 'halted-before';
  await setHalted(tx, chain, reason);
  return 'paused';
}
