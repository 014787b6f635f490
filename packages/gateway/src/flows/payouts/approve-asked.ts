// A person of the dashboard approves a payout that another person asked for.
import type { Tx } from '../../db/postgres/tx.ts';
import { readAsker, sawKeyOf } from '../../db/tables/payouts/payout-askers.ts';
import type { KeptApproval } from '../../db/tables/payouts/payout-approvals.ts';
import { type ApprovedOutcome, approvePayout } from './approve-payout.ts';

export interface ApproveAsked {
  readonly tradeNo: string;
  /** The person who approves. */
  readonly personId: string;
  readonly approval: KeptApproval;
}

/**
 * A person cannot be the second one for their own payout, nor for one that the API asked for while a key worked that this
 * person was shown: they may have asked for it themselves.
 */
export async function approveAsked(
  tx: Tx,
  { tradeNo, personId, approval }: ApproveAsked,
): Promise<ApprovedOutcome | 'own-payout' | 'own-key'> {
  // mark: approver-is-another-person
  const asker = await readAsker(tx, tradeNo);
  if (asker === personId) return 'own-payout';
  // mark: approver-did-not-see-the-key
  if (asker === null && (await sawKeyOf(tx, tradeNo, personId))) return 'own-key';
  return approvePayout(tx, tradeNo, approval);
}
