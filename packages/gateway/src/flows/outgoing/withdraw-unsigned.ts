// Takes back what the signer refused: a first variant gives its nonce back, a replacement leaves what was sent before.
import type { Tx } from '../../db/postgres/tx.ts';
import { type HeldLease, holdsLease, payLease } from '../../db/tables/leases.ts';
import { dropUnsigned, type NextLook, putOff, unprepare } from '../../db/tables/outgoing/look-again.ts';

export interface WithdrawUnsigned {
  readonly chain: string;
  readonly look: NextLook;
  readonly nowMs: number;
  readonly lease: HeldLease;
}

/**
 * Only after a refusal: a signer that gave no answer may have signed. False where another process pays on the chain
 * now; nothing was written.
 */
export async function withdrawUnsigned(
  tx: Tx,
  { chain, look, nowMs, lease }: WithdrawUnsigned,
): Promise<boolean> {
  if (!(await holdsLease(tx, payLease(chain), lease))) return false;
  const { outgoingId } = look;
  const isGone = (await unprepare(tx, outgoingId)) || (await dropUnsigned(tx, outgoingId));
  // An approval that came while the signer was asked is tried at once.
  if (isGone) await putOff(tx, [look], nowMs);
  return true;
}
