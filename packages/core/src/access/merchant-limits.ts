// What an operator allows a merchant at the most, over all of its apps. The merchant cannot raise it.
import type { Refusal } from '../refusal.ts';

/** Null is without a limit. Values are 10^-6 USD. */
export interface MerchantLimits {
  /** Of one payout. */
  readonly payoutMaxValue: bigint | null;
  /** Of all payouts of 24 hours together. */
  readonly payoutMaxDayValue: bigint | null;
  /** Orders that wait to be paid at once. */
  readonly maxOpenOrders: number | null;
}

/** Why no further order is opened. */
export function tooManyOpen(most: number): Refusal {
  const message = `the open orders of the merchant are at the limit of ${most} that the operator of this gateway set: one has to be paid or to time out first`;
  return { code: 'order-limit', message };
}
