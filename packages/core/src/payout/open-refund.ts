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
  /** Whether a refund of it is on its way, was paid, or brought a part of it although it failed. */
  readonly isRefunded: boolean;
  /** Whether a person accepted its order as paid, so that it counts. */
  readonly isAccepted: boolean;
  /** What its order collected and has not sent back; null where it came for none. */
  readonly leftOfOrder: Amount | null;
}

export interface RefundRequest {
  readonly currency: Currency;
  /** What of the receipt is kept for the network fee, in its own currency. */
  readonly gas: Amount;
  /** What the receipt is worth, in 10^-6 USD; null where no source has a price. */
  readonly value: bigint | null;
}

/** What binds the people of a merchant as it binds their payouts. Nothing of it binds an operator. */
export interface RefundBounds {
  readonly rules: PayoutRules;
  readonly ledger: Pick<PayoutLedger, 'dayValue' | 'merchantDayValue' | 'listedAt'>;
  /** The network fee in the receipt's currency: who sends back bears it. */
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
  /** A refund of it stands, or brought a part of it. */
  | { readonly outcome: 'refunded' }
  /** Its order has less left than this, by refunds of the order or of its other receipts. */
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
 * All of it goes back less `gas`, and never more than once. Late and extra money was credited less the fee on deposits,
 * which stays: the app pays it. `operable` is what the app may dispose of in that currency. Without `bounds` an operator
 * sends it back.
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

/** What keeps a receipt from going back, whoever asks, to whatever address; null where nothing does. */
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

/** Whether the rules of the app's payouts let so much go there. */
export function checkRefundBounds({ rules, ledger, now }: RefundBounds, value: bigint | null): Result<null> {
  // mark: refund-within-the-limits
  return checkBounds({ value }, rules, ledger, now);
}
