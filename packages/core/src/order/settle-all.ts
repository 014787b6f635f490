// Settles everything a final height covers, one transaction after the other, and gathers what has to be written.
import { assert } from '../assert.ts';
import { type Currency, creditBound } from '../chain/currency.ts';
import type { Transfer } from '../chain/transfer.ts';
import type { OwnAddress } from '../ledger/account.ts';
import type { Entry } from '../ledger/entry.ts';
import { bookColdReturn } from '../ledger/cold-recipes.ts';
import { bookDeposit, bookMove, bookOutflow, bookSent, bookUnassignedReceipt } from '../ledger/recipes.ts';
import { add, compare } from '../money/amount.ts';
import { keepsPromise, type PromisedTransfer } from '../outgoing/promise.ts';
import type { QrCode } from '../qr/qr-code.ts';
import { type QrPayment, settleQrPayment } from '../qr/settle-qr-payment.ts';
import type { PaymentEvent } from '../webhook/event.ts';
import type { Order } from './order.ts';
import { countsFor, type Disposition, isLate, settlePayment } from './transition.ts';

/** A transfer that has become final, and which addresses of ours are its sides. At least one side is ours. */
export interface DueTransfer {
  readonly transfer: Transfer;
  /** Null where a stranger sent it. */
  readonly from: OwnAddress | null;
  /** Null where it went to a stranger. */
  readonly to: OwnAddress | null;
  /** The recipient's fee on deposits, in parts per million. */
  readonly feePpm: bigint;
  /** The order that the recipient's address was handed out for, null where it was not. */
  readonly tradeNo: string | null;
  /** What its transaction promised to move; null where that is no outgoing transaction of ours. */
  readonly promised: PromisedTransfer | null;
  /** The QR code that the recipient's address belongs to; absent where it belongs to none. */
  readonly qrCode?: QrCode;
  /** Whether it came from cold storage to a wallet. */
  readonly isColdReturn?: boolean;
}

export interface SettlingRules {
  /** The chain's, the native currency first. */
  readonly currencies: readonly Currency[];
  /** Unix seconds of the block up to which internal transactions are known; null before the first search. */
  readonly searchedTime: number | null;
}

/** A transfer that counts for no order; the app it belongs to, null for the gateway itself. */
export interface UnassignedReceipt {
  readonly transfer: Transfer;
  readonly appId: string | null;
}

export interface SettledTransfers {
  /** Of every transfer that was settled; one that has to wait is left out. */
  readonly dispositions: readonly { readonly transfer: Transfer; readonly disposition: Disposition }[];
  readonly entries: readonly Entry[];
  /** Each order that changed, as it stands after all of them. */
  readonly orders: readonly Order[];
  readonly events: readonly PaymentEvent[];
  readonly qrPayments: readonly QrPayment[];
  readonly unassigned: readonly UnassignedReceipt[];
  /** Transfers that left our addresses by no transaction of ours. */
  readonly outflows: readonly Transfer[];
  /** Transfers of more than their currency is believed to move: an operator has to look at the currency. */
  readonly absurd: readonly Transfer[];
}

/** `due` in the order of the chain; `orders` holds every order that `due` names. */
export function settleAll(
  due: readonly DueTransfer[],
  orders: ReadonlyMap<string, Order>,
  rules: SettlingRules,
): SettledTransfers {
  const changed = new Map<string, Order>();
  const settled: Draft = {
    dispositions: [],
    entries: [],
    events: [],
    qrPayments: [],
    unassigned: [],
    outflows: [],
    absurd: [],
  };
  for (const group of groupsOf(due)) {
    const { tradeNo, from } = group[0];
    const order = tradeNo === null || from !== null ? null : (changed.get(tradeNo) ?? orders.get(tradeNo));
    assert(order !== undefined, `order ${tradeNo} of a transfer is there`);
    const after = settleGroup(group, order, rules, settled);
    if (after !== null) changed.set(after.tradeNo, after);
  }
  return { ...settled, orders: [...changed.values()] };
}

type Group = readonly [DueTransfer, ...DueTransfer[]];

/** Filled while the groups are settled. */
type Draft = { -readonly [Key in keyof Omit<SettledTransfers, 'orders'>]: SettledTransfers[Key][number][] };

/** The transfers of one transaction to one order or one QR code form a group. Every other transfer is a group of its own. */
function groupsOf(due: readonly DueTransfer[]): readonly Group[] {
  const groups = new Map<string, [DueTransfer, ...DueTransfer[]]>();
  for (const [place, one] of due.entries()) {
    const { from, tradeNo, qrCode, transfer } = one;
    const target = tradeNo ?? qrCode?.qrCodeId;
    const isPayment = from === null && target !== undefined;
    const key = isPayment ? `${transfer.txId} ${target}` : `${place}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [one]);
    else group.push(one);
  }
  return [...groups.values()];
}

/** Returns the order as it stands afterwards, null where nothing changed it. */
function settleGroup(group: Group, order: Order | null, rules: SettlingRules, settled: Draft): Order | null {
  const [{ from, transfer, feePpm, qrCode }] = group;
  for (const part of group) if (isAbsurd(part, group, rules)) settled.absurd.push(part.transfer);
  if (from !== null) return settleSent(group[0], from, settled);
  if (group[0].isColdReturn === true) return settleColdReturn(group[0], settled);
  if (qrCode !== undefined) return settleQrPayments(group, qrCode, rules, settled);
  const counting = order === null ? [] : countingParts(group, order, rules);
  for (const part of group) if (!counting.includes(part)) settleUnassigned(part, settled);
  if (order === null || counting.length === 0 || hasToWait(order, transfer, rules)) return null;
  const parts = counting.map((part) => part.transfer);
  const payment = settlePayment(parts, order);
  for (const part of parts) {
    settled.dispositions.push({ transfer: part, disposition: payment.disposition });
    settled.entries.push(bookDeposit(part, order.appId, feePpm));
  }
  settled.events.push(...payment.events);
  return payment.order;
}

/** Each part is a payment of its own. */
function settleQrPayments(group: Group, qrCode: QrCode, rules: SettlingRules, settled: Draft): null {
  for (const part of group) {
    const { transfer, feePpm } = part;
    const payment = isAbsurd(part, group, rules) ? null : settleQrPayment(transfer, qrCode);
    if (payment === null) {
      settleUnassigned(part, settled);
      continue;
    }
    assert(
      part.to?.appId === qrCode.appId,
      `address and QR code ${qrCode.qrCodeId} belong to different apps`,
    );
    settled.dispositions.push({ transfer, disposition: payment.disposition });
    settled.entries.push(bookDeposit(transfer, qrCode.appId, feePpm));
    settled.qrPayments.push(payment);
  }
  return null;
}

function countingParts(group: Group, order: Order, rules: SettlingRules): readonly DueTransfer[] {
  for (const { to } of group) {
    assert(to?.appId === order.appId, `address and order ${order.tradeNo} belong to different apps`);
  }
  return group.filter((part) => countsFor(order, part.transfer) && !isAbsurd(part, group, rules));
}

/**
 * A late payment times its order out. In the native currency the payment waits until the search for internal transactions
 * has passed the expiry, because the search may still find one in time.
 */
function hasToWait(order: Order, transfer: Transfer, { currencies, searchedTime }: SettlingRules): boolean {
  if (order.status !== 'TO-BE-PAID' || !isLate(order, transfer)) return false;
  // mark: late-payment-waits-for-the-search
  return order.currencyId === currencies[0]?.currencyId && (searchedTime ?? 0) <= order.timeExpire;
}

/** Money that comes back from cold storage is no payment: it is owed to the same apps as before. */
function settleColdReturn({ transfer, to }: DueTransfer, settled: Draft): null {
  assert(to?.purpose === 'wallet', 'cold storage gives back to wallets');
  settled.dispositions.push({ transfer, disposition: 'own' });
  settled.entries.push(bookColdReturn(transfer, to));
  return null;
}

function settleUnassigned({ transfer, to }: DueTransfer, settled: Draft): void {
  assert(to !== null, 'a transfer has a side of ours');
  settled.dispositions.push({ transfer, disposition: 'unassigned' });
  settled.entries.push(bookUnassignedReceipt(transfer, to));
  settled.unassigned.push({ transfer, appId: to.appId });
}

/** Between two addresses of ours: no deposit and no loss. To a stranger: promised, or an outflow until it is explained. */
function settleSent({ transfer, to, promised }: DueTransfer, from: OwnAddress, settled: Draft): null {
  const isSent = to === null && promised !== null && isFirstKept(transfer, promised, settled);
  if (isSent) {
    settled.dispositions.push({ transfer, disposition: 'sent' });
    settled.entries.push(bookSent(transfer, from));
    return null;
  }
  const entry = to === null ? bookOutflow(transfer, from) : bookMove(transfer, from, to);
  settled.dispositions.push({ transfer, disposition: to === null ? 'outgoing' : 'own' });
  if (entry !== null) settled.entries.push(entry);
  if (to === null) settled.outflows.push(transfer);
  return null;
}

/** One transaction is to move the promised amount once; what it moves besides is an outflow. */
function isFirstKept(transfer: Transfer, promised: PromisedTransfer, { dispositions }: Draft): boolean {
  if (!keepsPromise(promised, transfer)) return false;
  return !dispositions.some((one) => one.disposition === 'sent' && one.transfer.txId === transfer.txId);
}

/** Whether a group moves more than is believable: a contract may log or mint whatever it likes, at once or in parts. */
function isAbsurd({ transfer }: DueTransfer, group: Group, { currencies }: SettlingRules): boolean {
  const { currencyId } = transfer.amount;
  const currency = currencies.find((one) => one.currencyId === currencyId);
  if (currency === undefined) return false;
  const amounts = group
    .map((part) => part.transfer.amount)
    .filter((amount) => amount.currencyId === currencyId);
  // mark: absurd-amounts-pay-nothing
  return compare(amounts.reduce(add), creditBound(currency)) === 1;
}
