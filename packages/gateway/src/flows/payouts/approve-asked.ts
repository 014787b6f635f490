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
 * `own-payout`: the person asked for the payout. `own-key`: the payout came by the API while an AppKey was valid that this
 * person has seen, so this person may have asked for it. Neither may be the second person.
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
