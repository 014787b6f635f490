// Lets a stopped sender go on after a person has looked at it, and fails transactions whose nonces others have used.
import type { BlockStamp } from '@ducat/core/chain/transfer';
import type { SubjectKind } from '@ducat/core/signing/transfer-intent';
import type { Tx } from '../../db/postgres/tx.ts';
import { lockCursor } from '../../db/tables/cursors.ts';
import { failOvertaken } from '../../db/tables/outgoing/endings.ts';
import { clearStopped } from '../../db/tables/outgoing/senders.ts';

export interface ResumeSender {
  readonly chain: string;
  readonly senderId: number;
  /** The final block at which a quorum was asked for the account. */
  readonly at: Pick<BlockStamp, 'number'>;
  /** The nonce of the account's next transaction after that block. */
  readonly reported: number;
  /** The reason for the stop, as the person saw it. A newer reason needs a new decision of a person. */
  readonly reason: string;
  readonly nowMs: number;
}

export type ResumedSender =
  /** `failed`: other final transactions used their nonces, so these never happen. Other flows end their subjects. */
  | { readonly outcome: 'resumed'; readonly failed: readonly FailedOutgoing[] }
  /** The sender is not stopped, or is stopped for another reason by now. */
  | { readonly outcome: 'not-stopped' }
  /** The books are at another final block by now: the quorum is asked again. */
  | { readonly outcome: 'stale' };

export interface FailedOutgoing {
  readonly outgoingId: string;
  readonly subjectKind: SubjectKind;
  readonly subjectId: string;
}

/**
 * A signed transaction is dead only when another transaction with its sender and nonce is final. The proof has two parts:
 * a quorum reports the nonce of the account at a final block, and the books hold every block up to it without our
 * transaction. Where blocks were skipped the second part is missing, so transactions signed before that stay as they are.
 */
export async function resumeSender(
  tx: Tx,
  { chain, senderId, at, reported, reason, nowMs }: ResumeSender,
): Promise<ResumedSender> {
  const { finalNumber } = await lockCursor(tx, chain, nowMs);
  if (finalNumber !== at.number) return { outcome: 'stale' };
  // mark: resumed-as-it-was-seen
  if (!(await clearStopped(tx, senderId, { nonce: reported, reason }))) return { outcome: 'not-stopped' };
  return { outcome: 'resumed', failed: await failOvertaken(tx, senderId, reported, nowMs) };
}
