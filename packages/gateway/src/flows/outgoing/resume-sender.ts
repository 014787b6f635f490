// Lets a stopped sender go on, after a person has looked, and ends what others have made impossible.
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
  /** Why it stands, as the person was shown it: what happened since needs a person too. */
  readonly reason: string;
  readonly nowMs: number;
}

export type ResumedSender =
  /** `failed`: their nonces were used by others for good, so they never happen. The flow that each of them serves has to be served. */
  | { readonly outcome: 'resumed'; readonly failed: readonly FailedOutgoing[] }
  /** It runs, or it stands for another reason by now. */
  | { readonly outcome: 'not-stopped' }
  /** The books went on meanwhile: ask again. */
  | { readonly outcome: 'stale' };

export interface FailedOutgoing {
  readonly outgoingId: string;
  readonly subjectKind: SubjectKind;
  readonly subjectId: string;
}

/**
 * A signed transaction is dead only when another one with its sender and nonce is final: a quorum reports the count of
 * the account at a final block, and our books hold every block up to there without it. Where blocks were skipped they do
 * not, and what was signed before that stays as it is.
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
