// What an approval may say: until when it holds, and how much the network may take.
import { amountOf, compare } from '../money/amount.ts';
import type { Payout } from './payout.ts';

/** As long as the signer's own command allows: thirty days. */
const LONGEST_S = 720 * 3_600;

export type ApprovalProblem = 'approval-ended' | 'approval-too-long' | 'approval-fee-too-high';

/** Null where an approval with these terms may be kept at `now` (Unix seconds). */
export function approvalProblem(
  { feeCap: cap }: Pick<Payout, 'feeCap'>,
  { expiry, feeCap }: { readonly expiry: number; readonly feeCap: bigint },
  now: number,
): ApprovalProblem | null {
  if (expiry <= now) return 'approval-ended';
  // mark: approvals-are-bounded
  if (expiry > now + LONGEST_S) return 'approval-too-long';
  return compare(amountOf(cap.currencyId, feeCap), cap) > 0 ? 'approval-fee-too-high' : null;
}
