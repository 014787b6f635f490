// orders.read: one order with its whole story.
import type { RequestOf, ResponseOf } from '@ducat/contract/dashboard/registry';
import { isPositive, zero } from '@ducat/core/money/amount';
import { acceptLate } from '@ducat/core/order/accept-late';
import { isPaidInFull } from '@ducat/core/order/transition';
import { refundableOf } from '@ducat/core/payout/order-refund';
import { listMerchantEvents } from '../../../db/reports/dashboard/merchant-events.ts';
import {
  type CollectedReceipt,
  readOrderCollections,
} from '../../../db/reports/dashboard/orders/order-collections.ts';
import { type OrderStory, readOrderStory } from '../../../db/reports/dashboard/orders/order-story.ts';
import { readOutgoingOf } from '../../../db/reports/dashboard/money/outgoing-story.ts';
import { readAttemptsOf } from '../../../db/reports/dashboard/subject-attempts.ts';
import {
  PAYMENT_FACTS,
  readSubjectEntries,
  type StoryEntry,
} from '../../../db/reports/dashboard/subject-entries.ts';
import type { Reader } from '../../../db/postgres/tx.ts';
import { readCursors } from '../../../db/tables/cursors.ts';
import { readNewestPayment } from '../../../db/tables/orders/order-acceptances.ts';
import { findOrder, type OrderDetail } from '../../../db/tables/orders/orders.ts';
import { readSentBack } from '../../../db/tables/payouts/order-refunds.ts';
import { readQuoteEvidence } from '../../../db/tables/orders/quote-evidence.ts';
import { transferReference } from '@ducat/core/ledger/recipes';
import { type Answer, answer, unknown } from '../call.ts';
import { appsOf, BEHIND_ALL, type MerchantCall } from '../merchant-scope.ts';
import { readTexts, seconds, type Texts } from '../texts.ts';
import { type OrderParts, orderTimeline } from './order-timeline.ts';

/** An order has a handful of events; more are resends of a merchant who was away for long. */
const MAX_EVENTS = 100;

type Looking = Pick<MerchantCall, 'reader' | 'deps' | 'nowMs' | 'merchantId'>;

/** Also called for live pages, which have no HTTP request, so it needs only these parts of a call. */
export async function handleOrderRead(
  call: Looking,
  { trade_no: tradeNo }: RequestOf<'orders.read'>,
): Promise<Answer<ResponseOf<'orders.read'>>> {
  const order = await findOwnOrder(call, tradeNo);
  if (order === null) return unknown('order');
  const parts = await readParts(call, order);
  const texts = await readTexts({ ...call.deps, reader: call.reader });
  const now = seconds(call.nowMs);
  return answer({
    now,
    order: { ...factsOf(call, order, parts, texts), can_accept: await canAccept(call.reader, parts) },
    timeline: [...orderTimeline(parts, texts, now)],
  });
}

/** An order of one of the merchant's apps; null for an unknown order and for another merchant's alike. */
export async function findOwnOrder(
  call: Pick<MerchantCall, 'reader' | 'merchantId'>,
  tradeNo: string,
): Promise<OrderDetail | null> {
  for (const { appId } of (await appsOf(call)) ?? []) {
    const order = await findOrder(call.reader, appId, tradeNo);
    if (order !== null) return order;
  }
  return null;
}

async function readParts(call: Looking, order: OrderDetail): Promise<OrderParts> {
  const { reader, deps } = call;
  const { tradeNo } = order;
  const story = await readOrderStory(reader, tradeNo);
  const events = await listMerchantEvents(reader, {
    appIds: [order.appId],
    tradeNo,
    before: BEHIND_ALL,
    from: '',
    limit: MAX_EVENTS,
  });
  // Row-level security hides the gateway's postings, so the entries are read unwalled. The transfers that name them were
  // read by the walled reader.
  const references = story.transfers.map(transferReference);
  const entries = await readSubjectEntries(deps.reader, PAYMENT_FACTS, references);
  const collections = await readOrderCollections(reader, receiptsOf(story, entries));
  const ids = collections.flatMap(({ subjectIds }) => subjectIds);
  return {
    order,
    story,
    evidence: order.quote === null ? [] : await readQuoteEvidence(reader, tradeNo),
    entries,
    events,
    attempts: await readAttemptsOf(
      reader,
      events.map(({ eventId }) => eventId),
    ),
    collections,
    outgoing: await readOutgoingOf(reader, ['collection', 'funding'], ids),
    sentBack: await readSentBack(reader, tradeNo, order.currencyId),
    heads: await readCursors(reader),
    chains: deps.catalogue.chains().map(({ definition }) => definition),
  };
}

/**
 * The receipts with the time of their booking. A collection that began before that time moved other money, for example of
 * an earlier order.
 */
function receiptsOf({ transfers }: OrderStory, entries: readonly StoryEntry[]): readonly CollectedReceipt[] {
  const bookedAt = new Map<string, number>();
  for (const { reference, atMs } of entries)
    bookedAt.set(reference, Math.min(atMs, bookedAt.get(reference) ?? atMs));
  return transfers.flatMap((transfer) => {
    const bookedAtMs = bookedAt.get(transferReference(transfer));
    const { addressId, amount } = transfer;
    return addressId === null || bookedAtMs === undefined
      ? []
      : [{ addressId, currencyId: amount.currencyId, bookedAtMs }];
  });
}

/** By the decision that `orders.accept-late` makes too. */
async function canAccept(reader: Reader, { order, sentBack }: OrderParts): Promise<boolean> {
  if (order.status !== 'TIME-OUT') return false;
  return acceptLate(order, await readNewestPayment(reader, order.tradeNo), sentBack).outcome === 'accepted';
}

function factsOf({ deps }: Looking, order: OrderDetail, parts: OrderParts, texts: Texts) {
  const newest = parts.events[0];
  const { fiatName, fiatAmount } = order;
  return {
    trade_no: order.tradeNo,
    out_trade_no: order.outTradeNo,
    app_id: order.appId,
    mode: order.mode,
    status: order.status,
    ...texts.money(order.due),
    refundable: texts.amount(refundableOf({ ...order, sentBack: parts.sentBack })),
    collected: texts.amount(isPositive(order.collected) ? order.collected : zero(order.currencyId)),
    is_paid_in_full: isPaidInFull(order),
    fiat: fiatName === null || fiatAmount === null ? null : { name: fiatName, amount: fiatAmount },
    create_time: order.createTime,
    time_expire: order.timeExpire,
    webhook: newest === undefined ? null : { state: newest.state, attempts: newest.attempts },
    address: texts.address(order.chain, order.address),
    tolerance_ppm: Number(order.tolerancePpm),
    callback_url: order.callbackUrl,
    redirect_url: order.redirectUrl,
    page_url: deps.checkoutUrl === '' ? null : `${deps.checkoutUrl}/${order.tradeNo}`,
    subject: parts.story.subject,
  };
}
