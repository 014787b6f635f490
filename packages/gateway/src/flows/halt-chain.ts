// Stops a chain for a human to look at: nothing of it is accepted or settled any more.
import { lockCursor, setHalted } from '../store/cursors.ts';
import type { Tx } from '../store/tx.ts';

/** The first reason is kept: later ones are mostly its consequences. */
export async function haltChain(tx: Tx, chain: string, reason: string, nowMs: number): Promise<void> {
  const { haltedReason } = await lockCursor(tx, chain, nowMs);
  if (haltedReason === null) await setHalted(tx, chain, reason);
}
