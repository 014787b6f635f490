// Cancels an outgoing transaction that still waits: it has no nonce or other place among those of its sender yet.
import type { SubjectKind } from '@ducat/core/signing/transfer-intent';
import type { Tx } from '../../db/postgres/tx.ts';
import { cancelWaiting } from '../../db/tables/outgoing/requests.ts';

/** True where it still waited: no signed bytes of it can ever be included. False where it is too late, or there is none. */
export function cancelOutgoing(
  tx: Tx,
  subject: { readonly kind: SubjectKind; readonly id: string },
  nowMs: number,
): Promise<boolean> {
  return cancelWaiting(tx, subject.kind, subject.id, nowMs);
}
