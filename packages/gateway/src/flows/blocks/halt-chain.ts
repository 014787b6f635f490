// Halts a chain until a person has looked at it: no block is accepted or settled any more.
import { lockCursor, setHalted } from '../../db/tables/cursors.ts';
import { type HeldLease, holdsLease, watchLease } from '../../db/tables/leases.ts';
import type { Tx } from '../../db/postgres/tx.ts';

export interface HaltChain {
  readonly chain: string;
  readonly reason: string;
  readonly nowMs: number;
  /** The lease under which this process watches the chain. */
  readonly lease: HeldLease;
}

/**
 * The first reason is kept, because later reasons are mostly its consequences. A process that lost the lease halts nothing:
 * its successor may have changed the books, and the change only looks impossible to the old process.
 */
export async function haltChain(tx: Tx, halt: HaltChain): Promise<'halted' | 'lease-lost'> {
  const { chain, reason, nowMs, lease } = halt;
  if (!(await holdsLease(tx, watchLease(chain), lease))) return 'lease-lost';
  const { haltedReason } = await lockCursor(tx, chain, nowMs);
  if (haltedReason === null) await setHalted(tx, chain, reason);
  return 'halted';
}
