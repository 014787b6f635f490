// A person takes a receipt out of the books that a fork below the final height took away, and puts it back if it returns.
import type { ChainDefinition } from '@ducat/core/chain/chain';
import type { BlockStamp, Transfer } from '@ducat/core/chain/transfer';
import type { Posting } from '@ducat/core/ledger/entry';
import { bookMove, transferReference } from '@ducat/core/ledger/recipes';
import {
  bookReinstatement,
  bookReversal,
  counterpartOf,
  type GoneProof,
  isGone,
} from '@ducat/core/ledger/reversal';
import { compare } from '@ducat/core/money/amount';
import { reinstatePayment, reversePayment } from '@ducat/core/order/reverse-payment';
import { countingDispositions } from '@ducat/core/order/transition';
import type { Tx } from '../../db/postgres/tx.ts';
import { appendAuditEntry } from '../../db/tables/access/audit-log.ts';
import { insertEntries } from '../../db/tables/books/ledger.ts';
import {
  lockAvailable,
  lockOwed,
  readCredited,
  readPostings,
} from '../../db/tables/books/reversal-entries.ts';
import { noteHoldings, thaw } from '../../db/tables/collections/holdings.ts';
import { lockCursor } from '../../db/tables/cursors.ts';
import { eventRow, type EventWriting } from '../../db/tables/deliveries/event-row.ts';
import { insertEvents } from '../../db/tables/deliveries/outbox.ts';
import { lockOrders, updateOrders } from '../../db/tables/orders/orders.ts';
import { readSentBack } from '../../db/tables/payouts/order-refunds.ts';
import { hasRefund } from '../../db/tables/payouts/receipt-refunds.ts';
import type { TransferIdentity } from '../../db/tables/transfers/receipts.ts';
import {
  type BookedReceipt,
  insertCounterpart,
  isFoundByBalance,
  lockBooked,
  orphanCounterpart,
} from '../../db/tables/transfers/reversals.ts';

interface Decided {
  readonly receipt: TransferIdentity;
  /** Who decided it, and why: kept in the audit log. */
  readonly by: string;
  readonly reason: string;
  readonly nowMs: number;
}

export interface ReverseReceipt extends Decided {
  readonly chain: Pick<ChainDefinition, 'name' | 'windowBlocks'>;
  readonly proof: GoneProof;
}

export type ReversedReceipt =
  /** What was booked; empty for a move between two addresses that share an account. */
  | { readonly outcome: 'reversed'; readonly postings: readonly Posting[] }
  /** The books hold no such final transfer to an address of ours. */
  | { readonly outcome: 'unknown-receipt' }
  /** It was reversed before, and was reinstated perhaps. */
  | { readonly outcome: 'reversed-before' }
  /** It came back from cold storage, which is no receipt. */
  | { readonly outcome: 'from-cold-storage' }
  /** The receipt or its order was refunded, so that less is left than would be taken back. */
  | { readonly outcome: 'sent-back' }
  /** Its block is on the chain, no blocks were skipped, or a block that was not searched may hold it. */
  | { readonly outcome: 'not-proven' };

/**
 * The order of the receipt keeps its status, because `PAID` is final on the wire. It collected less from now on. Cursor,
 * receipt and order are locked in this order.
 */
export async function reverseReceipt(tx: Tx, input: ReverseReceipt): Promise<ReversedReceipt> {
  const { chain, receipt, proof, nowMs } = input;
  const cursor = await lockCursor(tx, chain.name, nowMs);
  const booked = await lockBooked(tx, receipt);
  if (booked === null) return { outcome: 'unknown-receipt' };
  // mark: reversed-once
  if (booked.counterpart !== null) return { outcome: 'reversed-before' };
  const { transfer, disposition, from } = booked;
  if (disposition === 'own' && from === null) return { outcome: 'from-cold-storage' };
  if (!isGone(transfer, proof, { ...cursor, ...chain })) return { outcome: 'not-proven' };
  if (!(await takeFromOrder(tx, booked))) return { outcome: 'sent-back' };
  const counterpart = counterpartOf(transfer, proof.at);
  const postings = await bookCounterpart(tx, booked, counterpart, nowMs);
  await insertCounterpart(tx, receipt, {
    ...counterpart,
    disposition: disposition === 'own' ? 'own' : 'reversed',
  });
  await noteHoldings(tx, [transfer, counterpart], nowMs);
  // Collections of money that is gone fail, and a frozen holding would bind other money of the app for ever.
  await thaw(tx, { ...transfer, address: transfer.to, currencyId: transfer.amount.currencyId }, nowMs);
  const { at, from: first, to: last } = proof;
  const shown = `block ${at.number} is ${at.hash}, not ${transfer.block.hash}; in no block from ${first} to ${last}`;
  await writeDecision(tx, input, 'deposits.reverse', shown);
  return { outcome: 'reversed', postings };
}

/** Lowers what the order of the receipt collected. False where more was sent back than would be left. */
async function takeFromOrder(tx: Tx, booked: BookedReceipt): Promise<boolean> {
  const order = await lockCounting(tx, booked);
  // mark: a-refunded-receipt-is-not-reversed
  if (order === null) return !(await hasRefund(tx, booked.transfer));
  const sentBack = await readSentBack(tx, order.tradeNo, order.currencyId);
  const less = reversePayment(order, booked.transfer, sentBack);
  if (less === null) return false;
  await updateOrders(tx, [less]);
  return true;
}

/** The order that the receipt counts for, locked; null where it counts for none. */
async function lockCounting(tx: Tx, { disposition, tradeNo }: BookedReceipt) {
  const counts = countingDispositions.some((one) => one === disposition);
  if (!counts || tradeNo === null) return null;
  return (await lockOrders(tx, [tradeNo])).get(tradeNo) ?? null;
}

async function bookCounterpart(
  tx: Tx,
  { transfer, to, from }: BookedReceipt,
  counterpart: Transfer,
  nowMs: number,
): Promise<readonly Posting[]> {
  const { currencyId } = transfer.amount;
  const entry =
    from === null
      ? bookReversal(
          counterpart,
          to,
          await readCredited(tx, transfer),
          await lockAvailable(tx, to.appId, currencyId),
        )
      : bookMove(counterpart, to, from);
  if (entry === null) return [];
  await insertEntries(tx, [entry], nowMs);
  return entry.postings;
}

export interface ReinstateReceipt extends Decided, EventWriting {
  /** The transfer as a quorum reports it now, in a final block. */
  readonly shown: Transfer;
}

export type ReinstatedReceipt =
  /** `isPaidNow`: its order was open, and is paid in full by it. */
  | {
      readonly outcome: 'reinstated';
      readonly postings: readonly Posting[];
      readonly isPaidNow: boolean;
    }
  | { readonly outcome: 'unknown-receipt' }
  /** It counts already: it was not reversed, or was reinstated. */
  | { readonly outcome: 'not-reversed' }
  /** The block holds something else at this place of the transaction. */
  | { readonly outcome: 'differs' }
  /** The books have not skipped this block. Reading the block, they would refuse it, because it repeats a receipt. */
  | { readonly outcome: 'not-skipped' }
  /** Its value was found by the balance of its address already, and booked as a receipt for no order. */
  | { readonly outcome: 'found-by-balance' };

/**
 * All that the reversal moved goes back, also to the order. An order that is still open may be paid in full by it, because
 * its payer paid a part once more. A receipt is reversed and reinstated once. The cursor is locked first, as by the search
 * for internal transactions, so that only one of both books the value.
 */
export async function reinstateReceipt(tx: Tx, input: ReinstateReceipt): Promise<ReinstatedReceipt> {
  const { receipt, shown, nowMs } = input;
  const { startNumber } = await lockCursor(tx, receipt.chain, nowMs);
  const booked = await lockBooked(tx, receipt);
  if (booked === null) return { outcome: 'unknown-receipt' };
  if (booked.counterpart !== 'final') return { outcome: 'not-reversed' };
  const { transfer } = booked;
  // mark: reinstated-as-it-was
  if (!isSame(transfer, shown)) return { outcome: 'differs' };
  if (startNumber === null || shown.block.number >= startNumber) return { outcome: 'not-skipped' };
  // mark: found-by-balance-or-reinstated
  if (await isFoundByBalance(tx, shown)) return { outcome: 'found-by-balance' };
  const counterpart = counterpartOf(transfer, transfer.block);
  const reversal = await readPostings(tx, ['reversal', 'move'], transferReference(counterpart));
  const isPaidNow = await giveToOrder(tx, booked, input);
  const owed = await lockOwed(tx, booked.to.appId, transfer.amount.currencyId);
  const entry = bookReinstatement(counterpart, reversal, owed);
  if (reversal.length > 0) await insertEntries(tx, [entry], nowMs);
  await orphanCounterpart(tx, counterpart);
  await noteHoldings(tx, [transfer], nowMs);
  await writeDecision(tx, input, 'deposits.reinstate', `in block ${blockText(shown.block)}`);
  return { outcome: 'reinstated', postings: entry.postings, isPaidNow };
}

function isSame(booked: Transfer, shown: Transfer): boolean {
  return (
    transferReference(booked) === transferReference(shown) &&
    booked.from === shown.from &&
    booked.to === shown.to &&
    booked.amount.currencyId === shown.amount.currencyId &&
    compare(booked.amount, shown.amount) === 0
  );
}

/** Whether the order is paid in full now. */
async function giveToOrder(tx: Tx, booked: BookedReceipt, input: ReinstateReceipt): Promise<boolean> {
  const order = await lockCounting(tx, booked);
  if (order === null) return false;
  const { order: after, events } = reinstatePayment(order, input.shown);
  await updateOrders(tx, [after]);
  await insertEvents(
    tx,
    events.map((event) => eventRow(event, order, input)),
  );
  return events.length > 0;
}

async function writeDecision(
  tx: Tx,
  { receipt, by, reason, nowMs: atMs }: Decided,
  operation: string,
  shown: string,
): Promise<void> {
  await appendAuditEntry(tx, {
    atMs,
    personId: null,
    operation,
    merchantId: null,
    subject: transferReference(receipt),
    detail: `${shown}, by ${by}: ${reason}`,
    address: '',
  });
}

function blockText({ number, hash }: BlockStamp): string {
  return `${number} ${hash}`;
}
