// What a second person approves of a payout: where it goes, in the amount that arrives, for at most this fee.
import type { ChainDefinition } from '../chain/chain.ts';
import type { Currency } from '../chain/currency.ts';
import { unitsOf } from '../money/amount.ts';
import type { ApprovedPayout } from './approval-bytes.ts';
import type { Payout } from '../payout/payout.ts';

export interface ApprovalTerms {
  readonly approver: string;
  /** Unix seconds at which the approval ends. */
  readonly expiry: number;
  /** Base units of the native coin; null for the cap that the payout has. */
  readonly feeCap: bigint | null;
}

export function approvedPayout(
  payout: Pick<Payout, 'tradeNo' | 'toAddress' | 'receipt' | 'feeCap'>,
  { chain, currency }: { readonly chain: Pick<ChainDefinition, 'chainId'>; readonly currency: Currency },
  { approver, expiry, feeCap }: ApprovalTerms,
): ApprovedPayout {
  return {
    kind: 'payout',
    payoutId: payout.tradeNo,
    chainId: chain.chainId,
    contract: currency.contract,
    to: payout.toAddress,
    baseUnits: unitsOf(payout.receipt),
    feeCap: feeCap ?? unitsOf(payout.feeCap),
    expiry,
    approver,
  };
}
