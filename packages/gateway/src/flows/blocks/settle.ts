// Settles seen transfers up to a final height, one share at a time.
import { assert } from '@ducat/core/assert';
import type { ChainDefinition } from '@ducat/core/chain/chain';
import type { Transfer } from '@ducat/core/chain/transfer';
import { transferReference } from '@ducat/core/ledger/recipes';
import { type SettledTransfers, settleAll } from '@ducat/core/order/settle-all';
import type { EncodePaymentEvent } from '@ducat/core/webhook/event';
import type { EncodeQrPaymentEvent } from '@ducat/core/webhook/qr-payment-event';
import type { Tx } from '../../db/postgres/tx.ts';
import { toNumeric } from '../../db/tables/amounts.ts';
import { suspendCurrency } from '../../db/tables/books/currency-suspensions.ts';
import { noteHoldings } from '../../db/tables/collections/holdings.ts';
import { eventRow } from '../../db/tables/deliveries/event-row.ts';
import { qrEventRow } from '../../db/tables/deliveries/qr-event-row.ts';
import { insertEntries } from '../../db/tables/books/ledger.ts';
import { lockOrders, updateOrders } from '../../db/tables/orders/orders.ts';
import { insertEvents } from '../../db/tables/deliveries/outbox.ts';
import { qrPaymentNo } from '../../db/tables/qr/qr-payment-no.ts';
import { insertQrPayments, readCallbackUrls } from '../../db/tables/qr/qr-payments.ts';
import {
  lockTransfersToSettle,
  markFinal,
  type PlacedDue,
} from '../../db/tables/transfers/settle-transfers.ts';

/**
 * How many transfers are locked, settled and written at once. PostgreSQL ends a session that pauses for too long in a
 * transaction under a lease; a share of this size takes a fraction of that time.
 */
export const SETTLED_AT_ONCE = 2_000;

export interface Settling {
  readonly chain: Pick<ChainDefinition, 'name' | 'family' | 'currencies'>;
  readonly encode: EncodePaymentEvent;
  readonly encodeQrPayment: EncodeQrPaymentEvent;
  /** Makes the id of a new event. */
  readonly newEventId: () => string;
  readonly nowMs: number;
}

/** What was settled, and which transfers a person should look at. All values are plain, so that they can be logged. */
export interface Settled {
  readonly transfers: number;
  readonly events: number;
  /** Money that counts for no order: `ducat deposits` lists and assigns it. */
  readonly unassigned: readonly NotedTransfer[];
  /** Outflows: money that left our addresses by no transaction of ours. The currency of each was suspended. */
  readonly outflows: readonly NotedTransfer[];
  /** Transfers of more than their currency is believed to move. The currency of each was suspended. */
  readonly absurd: readonly NotedTransfer[];
}

/** Where to find a transfer, and what it moved. */
export interface NotedTransfer {
  readonly reference: string;
  readonly txId: string;
  readonly block: number;
  readonly currencyId: number;
  /** Base units. */
  readonly units: string;
  readonly from: string;
  readonly to: string;
}

export const NOTHING_SETTLED: Settled = { transfers: 0, events: 0, unassigned: [], outflows: [], absurd: [] };

export interface ToSettle {
  /** A final height: every seen transfer up to it is settled. */
  readonly upTo: number;
  /** The first transfers up to that height, locked. With at most `SETTLED_AT_ONCE` of them, these are all. */
  readonly ready: readonly PlacedDue[];
  /** Unix seconds of the block up to which internal transactions are known. */
  readonly searchedTime: number | null;
}

/** Settles everything, share by share. A chain transaction is cut in two only where it alone is larger than a share. */
export async function settleThrough(
  tx: Tx,
  input: Settling,
  { upTo, ready, searchedTime }: ToSettle,
): Promise<Settled> {
  let [settled, waiting] = [NOTHING_SETTLED, ready];
  while (waiting.length > 0) {
    const share = wholeTransactions(waiting);
    settled = together(settled, await settleShare(tx, input, share, searchedTime));
    const last = share.at(-1);
    if (waiting.length <= SETTLED_AT_ONCE || last === undefined) break;
    waiting = await lockTransfersToSettle(tx, input.chain.name, { upTo, after: last }, SETTLED_AT_ONCE + 1);
  }
  return settled;
}

/** Where more transfers follow, leaves out the last chain transaction, because the rest of it may not be loaded yet. */
function wholeTransactions(due: readonly PlacedDue[]): readonly PlacedDue[] {
  if (due.length <= SETTLED_AT_ONCE) return due;
  const open = due.at(-1)?.transfer.txId;
  const whole = due.slice(0, due.findLastIndex(({ transfer }) => transfer.txId !== open) + 1);
  return whole.length === 0 ? due : whole;
}

/** Core decides what every transfer of a share means; a handful of statements write the result. */
async function settleShare(
  tx: Tx,
  input: Settling,
  due: readonly PlacedDue[],
  searchedTime: number | null,
): Promise<Settled> {
  const orders = await lockOrders(tx, [...new Set(due.flatMap(({ tradeNo }) => tradeNo ?? []))]);
  const settled = settleAll(due, orders, { currencies: input.chain.currencies, searchedTime });
  await insertEntries(tx, settled.entries, input.nowMs);
  await markFinal(tx, settled.dispositions);
  await noteHoldings(
    tx,
    settled.dispositions.map(({ transfer }) => transfer),
    input.nowMs,
  );
  await updateOrders(tx, settled.orders);
  const events = settled.events.map((event) => {
    const order = orders.get(event.tradeNo);
    assert(order !== undefined, `order ${event.tradeNo} of an event was locked`);
    return eventRow(event, order, input);
  });
  await insertEvents(tx, events);
  await writeQrPayments(tx, settled, input);
  await suspendAbsurd(tx, settled, input.nowMs);
  await suspendLeaking(tx, settled, input.nowMs);
  return {
    transfers: settled.dispositions.length,
    events: events.length + settled.qrPayments.length,
    unassigned: settled.unassigned.map(({ transfer }) => noted(transfer)),
    outflows: settled.outflows.map(noted),
    absurd: settled.absurd.map(noted),
  };
}

/** Each QR payment gets a number and an event of its own. */
async function writeQrPayments(tx: Tx, { qrPayments }: SettledTransfers, input: Settling): Promise<void> {
  if (qrPayments.length === 0) return;
  const numbered = qrPayments.map((payment) => ({ ...payment, tradeNo: qrPaymentNo(payment.transfer) }));
  await insertQrPayments(tx, numbered);
  const urls = await readCallbackUrls(tx, [...new Set(qrPayments.map(({ qrCode }) => qrCode.appId))]);
  const events = numbered.map((payment) =>
    qrEventRow(payment, urls.get(payment.qrCode.appId) ?? null, input),
  );
  await insertEvents(tx, events);
}

async function suspendAbsurd(tx: Tx, { absurd }: SettledTransfers, nowMs: number): Promise<void> {
  const byCurrency = new Map(absurd.toReversed().map((one) => [one.amount.currencyId, one] as const));
  for (const [currencyId, transfer] of byCurrency) {
    const reason = `${transferReference(transfer)} moved ${toNumeric(transfer.amount)} units, more than is believed`;
    await suspendCurrency(tx, currencyId, reason, nowMs);
  }
}

/** A thief may take more: money that is paid now would arrive at an address whose key others may have. */
async function suspendLeaking(tx: Tx, { outflows }: SettledTransfers, nowMs: number): Promise<void> {
  for (const currencyId of new Set(outflows.map(({ amount }) => amount.currencyId))) {
    await suspendCurrency(tx, currencyId, 'money left an address and nobody meant to send it', nowMs);
  }
}

function noted(transfer: Transfer): NotedTransfer {
  const { txId, block, amount, from, to } = transfer;
  return {
    reference: transferReference(transfer),
    txId,
    block: block.number,
    currencyId: amount.currencyId,
    units: toNumeric(amount),
    from,
    to,
  };
}

function together(one: Settled, other: Settled): Settled {
  return {
    transfers: one.transfers + other.transfers,
    events: one.events + other.events,
    unassigned: [...one.unassigned, ...other.unassigned],
    outflows: [...one.outflows, ...other.outflows],
    absurd: [...one.absurd, ...other.absurd],
  };
}
