// Compares the nonces of a sender with what a quorum reports of its account, and stops the sender where they differ.
import { reasonToStop } from '@ducat/core/outgoing/outgoing';
import type { BlockStamp } from '@ducat/core/chain/transfer';
import type { Tx } from '../../db/postgres/tx.ts';
import { lockCursor } from '../../db/tables/cursors.ts';
import { type HeldLease, holdsLease, payLease } from '../../db/tables/leases.ts';
import { lockSender, setStopped } from '../../db/tables/outgoing/senders.ts';

export interface CheckSender {
  readonly chain: string;
  readonly senderId: number;
  /** The final block at which the quorum was asked. */
  readonly at: Pick<BlockStamp, 'number'>;
  /** The nonce of the account's next transaction after that block. */
  readonly reported: number;
  readonly nowMs: number;
  /**
   * The payer's. Null where a person looks: the proof is in this transaction, and the lease only keeps a process that lost it
   * from writing.
   */
  readonly lease: HeldLease | null;
}

export type CheckedSender =
  | { readonly outcome: 'right' }
  /** The books are at another final block by now, so the nonces cannot be compared. */
  | { readonly outcome: 'stale' }
  | { readonly outcome: 'stopped'; readonly reason: string }
  | { readonly outcome: 'lease-lost' };

export async function checkSender(
  tx: Tx,
  { chain, senderId, at, reported, nowMs, lease }: CheckSender,
): Promise<CheckedSender> {
  if (lease !== null && !(await holdsLease(tx, payLease(chain), lease))) return { outcome: 'lease-lost' };
  const { finalNumber } = await lockCursor(tx, chain, nowMs);
  const sender = await lockSender(tx, senderId);
  if (finalNumber !== at.number || sender === null || sender.finalNonce === null) return { outcome: 'stale' };
  const reason = reasonToStop({ booked: sender.finalNonce, reported, lowestOpen: sender.lowestOpen });
  if (reason === null) return { outcome: 'right' };
  await setStopped(tx, senderId, reason, nowMs);
  return { outcome: 'stopped', reason };
}
