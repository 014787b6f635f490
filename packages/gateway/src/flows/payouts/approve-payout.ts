// A second person approves a payout: what they signed is kept for the signer, and reaches a transaction that waits.
import { amountOf } from '@ducat/core/money/amount';
import { type ApprovalProblem, approvalProblem } from '@ducat/core/payout/approval-terms';
import { approvePayout as decide, type Moved, type Unmoved } from '@ducat/core/payout/transition';
import type { Tx } from '../../db/postgres/tx.ts';
import { lockWaitingSubject, renewSubject } from '../../db/tables/outgoing/requests.ts';
import { insertApproval, type KeptApproval } from '../../db/tables/payouts/payout-approvals.ts';
import { lockPayout, updatePayout } from '../../db/tables/payouts/payouts.ts';

export type ApprovedOutcome = Moved['outcome'] | Unmoved['outcome'] | ApprovalProblem | 'unknown';

/**
 * The signature was compared with the approver's key before. Any payout that waits may be approved: the signer may ask for
 * it below the amount that the gateway does.
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
