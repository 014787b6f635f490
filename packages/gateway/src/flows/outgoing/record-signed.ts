// Stores signed bytes from the signer before any of them are broadcast.
import type { Tx } from '../../db/postgres/tx.ts';
import { type HeldLease, holdsLease, payLease } from '../../db/tables/leases.ts';
import { wakeBehind } from '../../db/tables/outgoing/look-again.ts';
import { readSubjects } from '../../db/tables/outgoing/requests.ts';
import { type SignedVariant, storeSigned } from '../../db/tables/outgoing/variants.ts';
import { startPayout } from '../payouts/start-payout.ts';

export interface RecordSigned {
  readonly chain: string;
  readonly signed: readonly SignedVariant[];
  readonly nowMs: number;
  readonly lease: HeldLease;
}

/**
 * False where another process pays on the chain now: nothing was written, and that process gets the same bytes for the
 * same intent.
 */
export async function recordSigned(tx: Tx, { chain, signed, nowMs, lease }: RecordSigned): Promise<boolean> {
  if (!(await holdsLease(tx, payLease(chain), lease))) return false;
  // mark: stored-before-it-is-sent
  await storeSigned(tx, signed, nowMs);
  const outgoingIds = signed.map(({ outgoingId }) => outgoingId);
  await wakeBehind(tx, outgoingIds, nowMs);
  for (const tradeNo of await readSubjects(tx, 'payout', outgoingIds)) await startPayout(tx, tradeNo, nowMs);
  return true;
}
