// A person of the dashboard approves a payout that another person asked for.
import type { Tx } from '../../db/postgres/tx.ts';
import { readAsker } from '../../db/tables/payouts/payout-askers.ts';
import type { KeptApproval } from '../../db/tables/payouts/payout-approvals.ts';
import { approvePayout } from './approve-payout.ts';

export interface ApproveAsked {
  readonly tradeNo: string;
  /** The person who approves. */
  readonly personId: string;
  readonly approval: KeptApproval;
}

/** The signer decides whether the signature is good; here a person cannot be the second one for their own payout. */
export async function approveAsked(
  tx: Tx,
  { tradeNo, personId, approval }: ApproveAsked,
): Promise<Awaited<ReturnType<typeof approvePayout>> | 'own-payout'> {
  // mark: approver-is-another-person
  if ((await readAsker(tx, tradeNo)) === personId) return 'own-payout';
  return approvePayout(tx, tradeNo, approval);
}
