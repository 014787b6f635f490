// Compares a lane with what a quorum reports of its account, and stops it where somebody else has used a nonce.
import { foreignUse } from '@ducat/core/outgoing/outgoing';
import type { BlockStamp } from '@ducat/core/chain/transfer';
import type { Tx } from '../../db/postgres/tx.ts';
import { lockCursor } from '../../db/tables/cursors.ts';
import { type HeldLease, holdsLease, payLease } from '../../db/tables/leases.ts';
import { lockLane, setStopped } from '../../db/tables/outgoing/lanes.ts';

export interface CheckLane {
  readonly chain: string;
  readonly laneId: number;
  /** The final block at which it was asked. */
  readonly at: Pick<BlockStamp, 'number'>;
  /** The nonce of the account's next transaction after that block. */
  readonly reported: number;
  readonly nowMs: number;
  readonly lease: HeldLease;
}

export type CheckedLane =
  | { readonly outcome: 'right' }
  /** The books went on meanwhile, so the two cannot be compared. */
  | { readonly outcome: 'stale' }
  | { readonly outcome: 'stopped'; readonly reason: string }
  | { readonly outcome: 'lease-lost' };

export async function checkLane(
  tx: Tx,
  { chain, laneId, at, reported, nowMs, lease }: CheckLane,
): Promise<CheckedLane> {
  if (!(await holdsLease(tx, payLease(chain), lease))) return { outcome: 'lease-lost' };
  const { finalNumber } = await lockCursor(tx, chain, nowMs);
  const lane = await lockLane(tx, laneId);
  if (finalNumber !== at.number || lane === null || lane.finalNonce === null) return { outcome: 'stale' };
  const reason = foreignUse({ booked: lane.finalNonce, reported, lowestOpen: lane.lowestOpen });
  if (reason === null) return { outcome: 'right' };
  await setStopped(tx, laneId, reason, nowMs);
  return { outcome: 'stopped', reason };
}
