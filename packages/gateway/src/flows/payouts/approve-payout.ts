// A second person approves a payout: stores the approval for the signer, also in a waiting transaction of the payout.
import { amountOf } from '@ducat/core/money/amount';
import { type ApprovalProblem, approvalProblem } from '@ducat/core/payout/approval-terms';
import { approvePayout as decide, type Moved, type Unmoved } from '@ducat/core/payout/transition';
import type { Tx } from '../../db/postgres/tx.ts';
import { lockWaitingSubject, renewSubject } from '../../db/tables/outgoing/requests.ts';
import { insertApproval, type KeptApproval } from '../../db/tables/payouts/payout-approvals.ts';
import { lockPayout, updatePayout } from '../../db/tables/payouts/payouts.ts';

export type ApprovedOutcome = Moved['outcome'] | Unmoved['outcome'] | ApprovalProblem | 'unknown';

/**
 * The caller has verified the signature with the approver's key. Any waiting payout may be approved, because the signer may
 * ask for an approval at lower amounts than the gateway.
 */
export async function approvePayout(
  tx: Tx,
  tradeNo: string,
  approval: KeptApproval,
): Promise<ApprovedOutcome> {
  const payout = await lockPayout(tx, tradeNo);
  if (payout === null) return 'unknown';
  const { approvedAtMs: nowMs, ...signed } = approval;
  const problem = approvalProblem(payout, approval, Math.floor(nowMs / 1000));
  if (problem !== null) return problem;
  const isWaiting = payout.isClaimed && (await lockWaitingSubject(tx, 'payout', tradeNo));
  const step = decide(payout, approval.expiry, isWaiting);
  if (step.outcome !== 'moved') return step.outcome;
  await updatePayout(tx, step.payout);
  await insertApproval(tx, tradeNo, approval, isWaiting);
  if (!isWaiting) return step.outcome;
  const feeCap = amountOf(payout.feeCap.currencyId, approval.feeCap);
  await renewSubject(tx, { kind: 'payout', id: tradeNo, approval: signed }, { feeCap, nowMs });
  return step.outcome;
}
