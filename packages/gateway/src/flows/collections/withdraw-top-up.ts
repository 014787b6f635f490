// Withdraws a top-up that was never signed, so that it is planned again with current prices and needs.
import type { Tx } from '../../db/postgres/tx.ts';
import { collectLease, type HeldLease, holdsLease } from '../../db/tables/leases.ts';
import { cancelOutgoing } from '../outgoing/cancel-outgoing.ts';

/** False where the top-up may be signed already, or another process collects on the chain now. */
export async function withdrawTopUp(
  tx: Tx,
  {
    topUpId,
    chain,
    nowMs,
    lease,
  }: {
    readonly topUpId: string;
    readonly chain: string;
    readonly nowMs: number;
    readonly lease: HeldLease;
  },
): Promise<boolean> {
  if (!(await holdsLease(tx, collectLease(chain), lease))) return false;
  return cancelOutgoing(tx, { kind: 'funding', id: topUpId }, nowMs);
}
