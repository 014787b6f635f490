// A payout: money that a merchant sends from an app's balance to an address on a chain.
import type { Amount } from '../money/amount.ts';

/** The states the wire knows; the last three are final (decision C3). */
export const payoutStatuses = ['PROGRESS', 'CONFIRMING-PROGRESS', 'PAID', 'FAIL', 'CANCEL'] as const;

export type PayoutStatus = (typeof payoutStatuses)[number];

/** What a payout moves, all in its own currency, fixed when it is made (decisions C1 and C2). */
export interface PayoutTerms {
  /** As the merchant asked. */
  readonly amount: Amount;
  /** The gateway's own fee. */
  readonly serviceCharge: Amount;
  /** The network fee, quoted in this currency. */
  readonly gas: Amount;
  /** What the recipient gets. */
  readonly receipt: Amount;
  /** What leaves the balance: receipt, service charge and gas. */
  readonly reserved: Amount;
}

/** The app's account that a payout takes from and gives back to: `unassigned` for the refund of an unassigned receipt. */
export type PayoutSource = 'available' | 'unassigned';

export interface Payout extends PayoutTerms {
  readonly tradeNo: string;
  readonly appId: string;
  readonly chain: string;
  readonly currencyId: number;
  readonly source: PayoutSource;
  /** Canonical text of the recipient's address. */
  readonly toAddress: string;
  /** The network fee as it was quoted, in the native currency. */
  readonly networkFee: Amount;
  /** The most that its transaction may cost unless an approver says otherwise, in the native currency. */
  readonly feeCap: Amount;
  readonly status: PayoutStatus;
  /** Whether it waits for a second person. */
  readonly needsApproval: boolean;
  /** Unix seconds at which the newest approval ends; null before the first. */
  readonly approvedUntil: number | null;
  /** Whether a transaction of it was requested. From then on it is cancelled only while that transaction waits. */
  readonly isClaimed: boolean;
  /** Unix seconds. */
  readonly createTime: number;
  /** Unix seconds at which it was signed; null before. */
  readonly startTime: number | null;
}
