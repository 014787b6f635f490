// Checks that a person whose key the policy lists has approved a payout exactly as it is to be signed.
import { verify } from 'node:crypto';
import { approvalBytes } from '@ducat/core/signing/approval-bytes';
import type { SignRefusal } from '@ducat/core/signing/sign-answer';
import type { PayoutApproval } from '@ducat/core/signing/transfer-intent';
import type { Policy } from './policy.ts';

/** The payout as in the intent. `fee` is the most that its transaction can cost. */
export interface PayoutToApprove {
  readonly kind: 'payout' | 'cold';
  readonly payoutId: string;
  readonly chainId: number;
  readonly contract: string | null;
  readonly to: string;
  readonly baseUnits: bigint;
  readonly fee: bigint;
}

/** Null where the approval holds. With `nowMs` null, the expiry is not checked. */
export function approvalProblem(
  approval: PayoutApproval,
  payout: PayoutToApprove,
  policy: Policy,
  nowMs: number | null,
): SignRefusal | null {
  const publicKey = policy.approvers.get(approval.approver);
  if (publicKey === undefined) return 'approval-unknown';
  const message = approvalBytes({ ...payout, ...approval });
  if (!verify(null, message, publicKey, Buffer.from(approval.signature, 'hex'))) return 'approval-invalid';
  if (nowMs !== null && nowMs > approval.expiry * 1000) return 'approval-expired';
  return payout.fee > approval.feeCap ? 'approval-invalid' : null;
}
