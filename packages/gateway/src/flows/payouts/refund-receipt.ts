// A person refunds a receipt: makes a payout of its amount, and the reservation in the same database transaction.
import type { ChainDefinition } from '@ducat/core/chain/chain';
import { bookReservation } from '@ducat/core/ledger/payout-recipes';
import { type Amount, zero } from '@ducat/core/money/amount';
import {
  type OpenedRefund,
  openRefund,
  type RefundableReceipt,
  type RefundBounds,
  type RefundRequest,
} from '@ducat/core/payout/open-refund';
import { leftOf } from '@ducat/core/payout/order-refund';
import { accept, type Result } from '@ducat/core/result';
import type { Tx } from '../../db/postgres/tx.ts';
import { insertEntries, lockOperable } from '../../db/tables/books/ledger.ts';
import { isAccepted } from '../../db/tables/orders/order-acceptances.ts';
import { lockOrders } from '../../db/tables/orders/orders.ts';
import { readSentBack } from '../../db/tables/payouts/order-refunds.ts';
import { lockDayValues } from '../../db/tables/payouts/day-values.ts';
import { readListedAt } from '../../db/tables/payouts/payout-addresses.ts';
import { lockSettings, type PayoutSettings } from '../../db/tables/payouts/payout-settings.ts';
import { insertPayout, type NewPayout, type PayoutRecord } from '../../db/tables/payouts/payouts.ts';
import { hasRefund, insertRefund } from '../../db/tables/payouts/receipt-refunds.ts';
import {
  lockReceipt,
  type LockedReceipt,
  type TransferIdentity,
} from '../../db/tables/transfers/receipts.ts';
import { checkCode } from './codes/check-code.ts';

const DAY_S = 86_400;

export interface RefundReceipt extends RefundRequest {
  readonly receipt: TransferIdentity;
  /** The number of the payout that the refund becomes. */
  readonly tradeNo: string;
  /** Set where a person of the merchant refunds: the payout rules of the app then apply. Absent for the operator. */
  readonly merchant?: RefundingMerchant;
  readonly chain: Pick<ChainDefinition, 'name' | 'family'>;
  /** Canonical text of an address that money may be sent to. */
  readonly toAddress: string;
  /** The network fee as it was quoted, in the native currency. */
  readonly networkFee: Amount;
  readonly feeCap: Amount;
  /** Who refunds the receipt, and why: kept for ever. */
  readonly by: string;
  readonly reason: string;
  readonly nowMs: number;
}

export interface RefundingMerchant {
  /** The app whose receipt it must be. */
  readonly appId: string;
  /** The network fee in the receipt's currency. */
  readonly leastGas: Amount;
  /** As in `GivenCode`. */
  readonly codeStep: number | null | undefined;
}

export type RefundedReceipt =
  | { readonly outcome: 'opened'; readonly payout: PayoutRecord }
  | Exclude<OpenedRefund, { readonly outcome: 'opened' }>
  /** There is no such receipt, or it has another currency. For a merchant also: it is another app's, or is at a wallet. */
  | { readonly outcome: 'unknown-receipt' };

/**
 * Receipt, order and settings are locked in this order. So a receipt that is refunded cannot be assigned meanwhile, and an
 * order whose money goes back cannot be accepted meanwhile.
 */
export async function refundReceipt(tx: Tx, input: RefundReceipt): Promise<RefundedReceipt> {
  const receipt = await lockReceipt(tx, input.receipt);
  if (receipt === null) return { outcome: 'unknown-receipt' };
  const { currency, merchant } = input;
  if (merchant !== undefined && (receipt.appId !== merchant.appId || receipt.isAtWallet)) {
    return { outcome: 'unknown-receipt' };
  }
  if (receipt.transfer.amount.currencyId !== currency.currencyId) return { outcome: 'unknown-receipt' };
  const facts = {
    ...receipt,
    ...(await lockOrderOf(tx, receipt)),
    isRefunded: await hasRefund(tx, input.receipt),
  };
  const settings = receipt.appId === null ? null : await lockSettings(tx, receipt.appId);
  const bounds = await lockBounds(tx, input, settings);
  if (bounds !== null && !bounds.ok) return { outcome: 'refused', refusal: bounds.refusal };
  // Unassigned money is not part of the operable balance. Its account is locked when the reservation is booked.
  const needsBalance = receipt.appId !== null && receipt.disposition !== 'unassigned';
  const operable = needsBalance
    ? await lockOperable(tx, receipt.appId, currency.currencyId)
    : zero(currency.currencyId);
  const opened = openRefund(
    facts,
    input,
    settings ?? { approvalAbove: null },
    operable,
    bounds?.value ?? null,
  );
  if (opened.outcome !== 'opened') return opened;
  const payout = payoutOf(input, opened);
  await insertPayout(tx, payout);
  await insertEntries(tx, [bookReservation(payout)], input.nowMs);
  const { tradeNo, by, reason, nowMs: atMs } = input;
  await insertRefund(tx, { tradeNo, receipt: input.receipt, by, reason, atMs });
  return { outcome: 'opened', payout };
}

/** The bounds of a merchant's refund; null for the operator. Under the settings' lock an app makes one payout at a time. */
async function lockBounds(
  tx: Tx,
  { merchant, chain: { family }, toAddress: address, nowMs }: RefundReceipt,
  rules: PayoutSettings | null,
): Promise<Result<RefundBounds> | null> {
  if (merchant === undefined || rules === null) return null;
  const { appId, leastGas } = merchant;
  const proven = await checkCode(tx, rules, { ...merchant, nowMs });
  if (!proven.ok) return proven;
  const now = Math.floor(nowMs / 1000);
  const ledger = {
    ...(await lockDayValues(tx, appId, rules, now - DAY_S)),
    listedAt: await readListedAt(tx, appId, { family, address }),
  };
  return accept({ rules, ledger, leastGas, now });
}

async function lockOrderOf(
  tx: Tx,
  { tradeNo, disposition }: LockedReceipt,
): Promise<Pick<RefundableReceipt, 'isAccepted' | 'leftOfOrder'>> {
  const none = { isAccepted: false, leftOfOrder: null };
  if (tradeNo === null || disposition === 'unassigned') return none;
  const order = (await lockOrders(tx, [tradeNo])).get(tradeNo);
  // A QR payment has a trade_no too, but no order.
  if (order === undefined) return none;
  const sentBack = await readSentBack(tx, tradeNo, order.currencyId);
  return { isAccepted: await isAccepted(tx, tradeNo), leftOfOrder: leftOf({ ...order, sentBack }) };
}

/** No call of the API made this payout, so its own number serves as idempotency key and signature. */
function payoutOf(
  input: RefundReceipt,
  { appId, terms, source, needsApproval }: Extract<OpenedRefund, { readonly outcome: 'opened' }>,
): NewPayout {
  const { tradeNo, toAddress, networkFee, feeCap, value, nowMs } = input;
  const name = `refund:${tradeNo}`;
  return {
    ...terms,
    source,
    tradeNo,
    appId,
    idempotencyKey: name,
    signature: name,
    inputHash: '',
    chain: input.chain.name,
    currencyId: input.currency.currencyId,
    toAddress,
    networkFee,
    feeCap,
    value,
    status: 'PROGRESS',
    needsApproval,
    approvedUntil: null,
    isClaimed: false,
    callbackUrl: null,
    createTime: Math.floor(nowMs / 1000),
    startTime: null,
    end: null,
  };
}
