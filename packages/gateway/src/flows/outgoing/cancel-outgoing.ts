// Takes an outgoing transaction back that has no place among those of its sender yet.
import type { SubjectKind } from '@ducat/core/signing/transfer-intent';
import type { Tx } from '../../db/postgres/tx.ts';
import { cancelWaiting } from '../../db/tables/outgoing/requests.ts';

/** True where nothing was signed, nor ever will be. False where it is too late, or there is none. */
export function cancelOutgoing(
  tx: Tx,
  subject: { readonly kind: SubjectKind; readonly id: string },
  nowMs: number,
): Promise<boolean> {
  return cancelWaiting(tx, subject.kind, subject.id, nowMs);
}
