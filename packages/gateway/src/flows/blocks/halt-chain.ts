// Stops a chain for a human to look at: nothing of it is accepted or settled any more.
import { lockCursor, setHalted } from '../../db/tables/cursors.ts';
import { type HeldLease, holdsLease, watchLease } from '../../db/tables/leases.ts';
import type { Tx } from '../../db/postgres/tx.ts';

export interface HaltChain {
  readonly chain: string;
  readonly reason: string;
  readonly nowMs: number;
  /** Under which this process watches the chain. */
  readonly lease: HeldLease;
}

/**
 * The first reason is kept: later ones are mostly its consequences. A process that lost the lease halts nothing: what seemed
 * impossible to it may be what its successor did meanwhile.
 */
export async function haltChain(tx: Tx, halt: HaltChain): Promise<'halted' | 'lease-lost'> {
  const { chain, reason, nowMs, lease } = halt;
  if (!(await holdsLease(tx, watchLease(chain), lease))) return 'lease-lost';
  const { haltedReason } = await lockCursor(tx, chain, nowMs);
  if (haltedReason === null) await setHalted(tx, chain, reason);
  return 'halted';
}
