// Withdraws a variant that the signer refused. A first variant gives its nonce back; a replacement keeps the older variant.
import type { Tx } from '../../db/postgres/tx.ts';
import { type HeldLease, holdsLease, payLease } from '../../db/tables/leases.ts';
import {
  dropUnsigned,
  type NextLook,
  unprepare,
  unprepareBehind,
} from '../../db/tables/outgoing/look-again.ts';

export interface WithdrawUnsigned {
  readonly chain: string;
  readonly look: NextLook;
  readonly nowMs: number;
  readonly lease: HeldLease;
}

/**
 * Only for refused variants: a signer that gave no answer may have signed. Nothing stays prepared behind a first variant,
 * because whatever is signed on a higher nonce waits for the nonce that is given back. False where another process pays on
 * the chain now; nothing was written.
 */
export async function withdrawUnsigned(
  tx: Tx,
  { chain, look, nowMs, lease }: WithdrawUnsigned,
): Promise<boolean> {
  if (!(await holdsLease(tx, payLease(chain), lease))) return false;
  // mark: no-gap-behind-a-refusal
  await unprepareBehind(tx, look.outgoingId, nowMs);
  if (!(await unprepare(tx, look, nowMs))) await dropUnsigned(tx, look, nowMs);
  return true;
}
