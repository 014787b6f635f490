// A second person approves a payout: what they signed is kept for the signer, which alone checks it.
import { approvePayout as decide, type Moved, type Unmoved } from '@ducat/core/payout/transition';
import type { Tx } from '../../db/postgres/tx.ts';
import { insertApproval, type KeptApproval } from '../../db/tables/payouts/payout-approvals.ts';
import { lockPayout, updatePayout } from '../../db/tables/payouts/payouts.ts';

/** Any payout that waits may be approved: the signer may ask for it below the amount that the gateway does. */
export async function approvePayout(
  tx: Tx,
  tradeNo: string,
  approval: KeptApproval,
): Promise<Moved['outcome'] | Unmoved['outcome'] | 'unknown'> {
  const payout = await lockPayout(tx, tradeNo);
  if (payout === null) return 'unknown';
  const step = decide(payout, approval.expiry);
  if (step.outcome !== 'moved') return step.outcome;
  await updatePayout(tx, step.payout);
  await insertApproval(tx, tradeNo, approval);
  return step.outcome;
}
