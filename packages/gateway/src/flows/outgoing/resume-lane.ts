// Lets a stopped lane go on, after a person has looked.
import type { Tx } from '../../db/postgres/tx.ts';
import { clearStopped } from '../../db/tables/outgoing/lanes.ts';

/**
 * `nonce`: where the account stands after a final block, so that what others used is not used again; null leaves the
 * count. False where the lane was not stopped.
 */
export function resumeLane(tx: Tx, laneId: number, nonce: number | null): Promise<boolean> {
  return clearStopped(tx, laneId, nonce);
}
