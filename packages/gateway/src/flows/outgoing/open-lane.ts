// Begins to count a lane's nonces where a quorum says that the account stands.
import type { Tx } from '../../db/postgres/tx.ts';
import { type HeldLease, holdsLease, payLease } from '../../db/tables/leases.ts';
import { setFirstNonce } from '../../db/tables/outgoing/lanes.ts';

export interface OpenLane {
  readonly chain: string;
  readonly laneId: number;
  /** The nonce of the account's next transaction after a final block. */
  readonly nonce: number;
  readonly lease: HeldLease;
}

/** False where it was counted before, or another process pays on the chain now. */
export async function openLane(tx: Tx, { chain, laneId, nonce, lease }: OpenLane): Promise<boolean> {
  if (!(await holdsLease(tx, payLease(chain), lease))) return false;
  return setFirstNonce(tx, laneId, nonce);
}
