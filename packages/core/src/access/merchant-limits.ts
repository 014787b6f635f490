// What an operator allows a merchant at the most, over all of its apps. The merchant cannot raise it.
import type { Refusal } from '../refusal.ts';

/** Null means no limit. Values are 10^-6 USD. */
export interface MerchantLimits {
  /** Of one payout. */
  readonly payoutMaxValue: bigint | null;
  /** Of all payouts of 24 hours together. */
  readonly payoutMaxDayValue: bigint | null;
  /** Orders that wait to be paid at the same time. */
  readonly maxOpenOrders: number | null;
}

/** How many orders a merchant has open, and how many it may have. */
export interface OpenOrders {
  readonly merchantId: string;
  readonly most: number;
  readonly open: number;
}

/**
 * For each order that is to be opened: why it is refused, or null where it is opened. `merchantIds` has the merchant of each
 * order, and the results stand in the same sequence. `counted` has the merchants with a limit; all others have none.
 */
export function refusedOpenings(
  merchantIds: readonly string[],
  counted: readonly OpenOrders[],
): readonly (Refusal | null)[] {
  const left = new Map(counted.map(({ merchantId, most, open }) => [merchantId, most - open]));
  const most = new Map(counted.map((one) => [one.merchantId, one.most]));
  return merchantIds.map((merchantId) => {
    const limit = most.get(merchantId);
    if (limit === undefined) return null;
    const room = left.get(merchantId) ?? 0;
    left.set(merchantId, room - 1);
    return room > 0 ? null : tooManyOpen(limit);
  });
}

function tooManyOpen(most: number): Refusal {
  const message = `the open orders of the merchant are at the limit of ${most} that the operator of this gateway set: one has to be paid or to time out first`;
  return { code: 'order-limit', message };
}
