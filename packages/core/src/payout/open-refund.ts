// How a receipt that counts for no order goes back: as a payout of its own amount, or why it may not.
import { type Currency, creditBound } from '../chain/currency.ts';
import type { Transfer } from '../chain/transfer.ts';
import { type Amount, compare, isPositive, subtract, zero } from '../money/amount.ts';
import type { Disposition } from '../order/transition.ts';
import type { Refusal } from '../refusal.ts';
import { accept, type Result } from '../result.ts';
import { checkBounds, type PayoutLedger, type PayoutRules } from './open-payout.ts';
import type { PayoutSource, PayoutTerms } from './payout.ts';

/** A final transfer to an address of ours, as the books have it under locks. */
export interface RefundableReceipt {
  readonly transfer: Pick<Transfer, 'amount'>;
  /** Null for the gateway itself. */
  readonly appId: string | null;
  readonly disposition: Disposition;
  /** Whether a refund of the receipt is on its way, was paid, or failed after a part of it had arrived. */
  readonly isRefunded: boolean;
  /** Whether a person accepted its order as paid, so that it counts. */
  readonly isAccepted: boolean;
  /** What the receipt's order collected and has not sent back; null where the receipt came for no order. */
  readonly leftOfOrder: Amount | null;
}

export interface RefundRequest {
  readonly currency: Currency;
  /** How much of the receipt is kept for the network fee, in the receipt's currency. */
  readonly gas: Amount;
  /** What the receipt is worth, in 10^-6 USD; null where no source has a price. */
  readonly value: bigint | null;
}

/** The rules of payouts, which bind the people of a merchant in refunds too. They do not bind an operator. */
export interface RefundBounds {
  readonly rules: PayoutRules;
  readonly ledger: Pick<PayoutLedger, 'dayValue' | 'merchantDayValue' | 'listedAt'>;
  /** The network fee in the receipt's currency. At least so much is kept, so that the operator does not pay the fee. */
  readonly leastGas: Amount;
  /** Unix seconds. */
  readonly now: number;
}

export type OpenedRefund =
  | {
      readonly outcome: 'opened';
      readonly appId: string;
      readonly terms: PayoutTerms;
      readonly source: PayoutSource;
      readonly needsApproval: boolean;
    }
  /** It belongs to the gateway itself, which pays nothing out. */
  | { readonly outcome: 'no-app' }
  /** It counts for an order or a QR code, or it left us. */
  | { readonly outcome: 'counts' }
  /** A refund of it stands, or a part of it arrived by one that failed. */
  | { readonly outcome: 'refunded' }
  /** Its order has less left than the receipt, because the order or its other receipts were refunded. */
  | { readonly outcome: 'order-sent-back' }
  /** More than its currency is believed to move. */
  | { readonly outcome: 'absurd' }
  | { readonly outcome: 'less-than-gas' }
  /** What would be kept does not pay the network fee. */
  | { readonly outcome: 'gas-short' }
  | { readonly outcome: 'balance-short' }
  /** A rule of the app's payouts stands against it. */
  | { readonly outcome: 'refused'; readonly refusal: Refusal };

/**
 * The whole receipt goes back less `gas`, and at most once. Late and extra money was credited less the fee on deposits. The
 * gateway keeps that fee: the app pays it. `operable` is what the app may dispose of in the receipt's currency. `bounds` is
 * null where an operator sends the receipt back.
 */
export function openRefund(
  receipt: RefundableReceipt,
  { currency, gas, value }: RefundRequest,
  { approvalAbove }: Pick<PayoutRules, 'approvalAbove'>,
  operable: Amount,
  bounds: RefundBounds | null,
): OpenedRefund {
  const { transfer, appId, disposition } = receipt;
  const { amount } = transfer;
  if (appId === null) return { outcome: 'no-app' };
  const stays = whyItStays(receipt);
  if (stays !== null) return { outcome: stays };
  const isUnassigned = disposition === 'unassigned';
  if (compare(amount, creditBound(currency)) > 0) return { outcome: 'absurd' };
  const paid = subtract(amount, gas);
  if (!isPositive(paid)) return { outcome: 'less-than-gas' };
  // mark: refund-pays-its-way
  if (bounds !== null && compare(gas, bounds.leastGas) < 0) return { outcome: 'gas-short' };
  const allowed = bounds === null ? accept(null) : checkRefundBounds(bounds, value);
  if (!allowed.ok) return { outcome: 'refused', refusal: allowed.refusal };
  if (!isUnassigned && compare(operable, amount) < 0) return { outcome: 'balance-short' };
  const terms: PayoutTerms = {
    amount,
    serviceCharge: zero(currency.currencyId),
    gas,
    receipt: paid,
    reserved: amount,
  };
  const needsApproval = approvalAbove !== null && (value === null || value > approvalAbove);
  return {
    outcome: 'opened',
    appId,
    terms,
    source: isUnassigned ? 'unassigned' : 'available',
    needsApproval,
  };
}

/** Why a receipt cannot go back at all, to any address and for any person; null where it can. */
export function whyItStays(
  receipt: Omit<RefundableReceipt, 'appId'>,
): 'counts' | 'refunded' | 'order-sent-back' | null {
  const { transfer, disposition, isAccepted, leftOfOrder } = receipt;
  const isUnassigned = disposition === 'unassigned';
  if (!isUnassigned && disposition !== 'late' && disposition !== 'extra') return 'counts';
  if (!isUnassigned && isAccepted) return 'counts';
  // mark: refunded-once
  if (receipt.isRefunded) return 'refunded';
  // mark: receipt-within-its-order
  if (!isUnassigned && leftOfOrder !== null && compare(transfer.amount, leftOfOrder) > 0)
    return 'order-sent-back';
  return null;
}

/** Whether the rules of the app's payouts allow a refund of this value. */
export function checkRefundBounds({ rules, ledger, now }: RefundBounds, value: bigint | null): Result<null> {
  // mark: refund-within-the-limits
  return checkBounds({ value }, rules, ledger, now);
}
