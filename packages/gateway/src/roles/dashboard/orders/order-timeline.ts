// The story of an order out of its parts, the oldest entry first. Pure.
import type { ResponseOf } from '@ducat/contract/dashboard/registry';
import { type ChainDefinition, confirmationsOf, nativeCurrency } from '@ducat/core/chain/chain';
import { type Amount, amountOf } from '@ducat/core/money/amount';
import { formatDecimal } from '@ducat/core/money/decimal';
import { type Evidence, RATE_DECIMALS } from '@ducat/core/money/reading';
import { whyItStays } from '@ducat/core/payout/open-refund';
import { leftOf } from '@ducat/core/payout/order-refund';
import type { CollectionStory } from '../../../db/reports/dashboard/orders/order-collections.ts';
import type {
  OrderStory,
  StoryChoice,
  StoryRefund,
  StoryTransfer,
} from '../../../db/reports/dashboard/orders/order-story.ts';
import type { OutgoingStory } from '../../../db/reports/dashboard/money/outgoing-story.ts';
import type { StoryEntry } from '../../../db/reports/dashboard/subject-entries.ts';
import type { ChainCursor } from '../../../db/tables/cursors.ts';
import type { AttemptRecord, EventRecord } from '../../../db/tables/deliveries/event-lists.ts';
import type { OrderDetail } from '../../../db/tables/orders/orders.ts';
import type { KeptQuote } from '../../../db/tables/orders/quotes.ts';
import { seconds, secondsOrNull, type Texts } from '../texts.ts';
import { presentEntry, presentOutgoing, presentWebhook } from './timeline-entries.ts';

export interface OrderParts {
  readonly order: OrderDetail;
  readonly story: OrderStory;
  /** Null where the stored evidence is damaged. */
  readonly evidence: readonly Evidence[] | null;
  readonly entries: readonly StoryEntry[];
  readonly events: readonly EventRecord[];
  readonly attempts: ReadonlyMap<string, readonly AttemptRecord[]>;
  readonly collections: readonly CollectionStory[];
  readonly outgoing: readonly OutgoingStory[];
  /** The part of the order that was refunded or is being refunded. */
  readonly sentBack: Amount;
  readonly heads: ReadonlyMap<string, ChainCursor>;
  readonly chains: readonly ChainDefinition[];
}

type Entry = ResponseOf<'orders.read'>['timeline'][number];

/**
 * `now` in Unix seconds. Entries of the same second keep the order in which they are listed here: causes before effects.
 */
export function orderTimeline(parts: OrderParts, texts: Texts, now: number): readonly Entry[] {
  const { order, story, events, attempts } = parts;
  const entries: Entry[] = [
    { kind: 'created', at: order.createTime },
    ...quoteEntry(parts),
    ...story.choices.map((choice) => choiceEntry(choice, parts, texts)),
    ...story.transfers.map((transfer) => transferEntry(transfer, parts, texts)),
    ...story.reorgs.map(({ atMs, chain, fromNumber, ancestorNumber }) => ({
      kind: 'reorg' as const,
      at: seconds(atMs),
      chain,
      from_number: fromNumber,
      ancestor_number: ancestorNumber,
    })),
    ...parts.entries.map((entry) => presentEntry(entry, texts)),
    ...(hasExpired(parts, now) ? [{ kind: 'expired' as const, at: order.timeExpire }] : []),
    ...(story.acceptance === null
      ? []
      : [
          {
            kind: 'accepted' as const,
            at: seconds(story.acceptance.atMs),
            by: story.acceptance.by,
            reason: story.acceptance.reason,
          },
        ]),
    ...events.toReversed().map((event) => presentWebhook(event, attempts.get(event.eventId) ?? [])),
    ...story.refunds.map((refund) => refundEntry(refund, texts)),
    ...parts.collections.map((collection) => collectionEntry(collection, parts, texts)),
  ];
  return entries.toSorted((one, other) => one.at - other.at);
}

/** An order that was accepted late had timed out before. */
function hasExpired({ order, story }: OrderParts, now: number): boolean {
  if (order.status === 'TO-BE-PAID') return order.timeExpire < now;
  return order.status === 'TIME-OUT' || story.acceptance !== null;
}

/** The quote that the order stands at: that of the payer's last choice, where there was one. */
function quoteEntry({ order, evidence, story }: OrderParts): readonly Entry[] {
  if (order.quote === null) return [];
  const chosen = story.choices.at(-1);
  return [
    {
      kind: 'quote',
      at: chosen === undefined ? order.createTime : seconds(chosen.atMs),
      quote: presentQuote(order.quote),
      evidence:
        evidence?.map(({ source, base, quote, priceUnits, at, verdict }) => ({
          source,
          base,
          quote,
          price: formatDecimal(priceUnits, RATE_DECIMALS),
          at,
          verdict,
        })) ?? null,
    },
  ];
}

function presentQuote({ rate, at, source }: KeptQuote) {
  return { fiat: rate.fiat, price: formatDecimal(rate.priceUnits, RATE_DECIMALS), source, at };
}

function choiceEntry(choice: StoryChoice, { chains }: OrderParts, texts: Texts): Entry {
  const chain = chains.find(({ currencies }) =>
    currencies.some(({ currencyId }) => currencyId === choice.currencyId),
  );
  return {
    kind: 'choice',
    at: seconds(choice.atMs),
    number: choice.number,
    ...texts.money(choice.due),
    address: texts.address(chain?.name ?? '', choice.address),
    quote: choice.quote === null ? null : presentQuote(choice.quote),
  };
}

function transferEntry(transfer: StoryTransfer, parts: OrderParts, texts: Texts): Entry {
  const { heads, chains } = parts;
  const { chain: name, block, assigned, state } = transfer;
  const chain = chains.find((one) => one.name === name);
  const head = heads.get(name)?.head ?? null;
  const needed = chain?.confirmations ?? 0;
  const isIn = state === 'seen' || state === 'final';
  const counted =
    chain === undefined || head === null || !isIn ? 0 : confirmationsOf(chain, head.number, block.number);
  return {
    kind: 'transfer',
    at: block.time,
    chain: name,
    tx_id: transfer.txId,
    position: transfer.position,
    ...texts.money(transfer.amount),
    from: transfer.from === '' ? '' : texts.address(name, transfer.from),
    to: texts.address(name, transfer.to),
    block_number: block.number,
    block_hash: block.hash,
    state,
    disposition: transfer.disposition,
    can_send_back: canSendBack(transfer, parts),
    confirmations: state === 'final' ? needed : counted,
    confirmations_needed: needed,
    assigned:
      assigned === null ? null : { by: assigned.by, reason: assigned.reason, at: seconds(assigned.atMs) },
  };
}

/**
 * By the decision that a refund makes too. An unassigned receipt is refunded on the page of unassigned receipts instead.
 */
function canSendBack(
  transfer: StoryTransfer,
  { order, story, sentBack }: Pick<OrderParts, 'order' | 'story' | 'sentBack'>,
): boolean {
  const { disposition, isSentBack: isRefunded } = transfer;
  if (disposition === null || disposition === 'unassigned') return false;
  const isAccepted = story.acceptance !== null;
  const leftOfOrder = leftOf({ ...order, sentBack });
  return whyItStays({ transfer, disposition, isRefunded, isAccepted, leftOfOrder }) === null;
}

function refundEntry({ chain, amount, ...refund }: StoryRefund, texts: Texts): Entry {
  return {
    kind: 'refund',
    at: seconds(refund.atMs),
    trade_no: refund.tradeNo,
    status: refund.status,
    ...texts.money(amount),
    to: texts.address(chain, refund.toAddress),
    by: refund.by,
    reason: refund.reason,
    tx_id: refund.txId,
  };
}

function collectionEntry(collection: CollectionStory, { chains, outgoing }: OrderParts, texts: Texts): Entry {
  const chain = chains.find(({ name }) => name === collection.chain);
  const costIn = chain === undefined ? collection.amount.currencyId : nativeCurrency(chain).currencyId;
  return {
    kind: 'collection',
    at: seconds(collection.startedAtMs),
    collection_id: collection.collectionId,
    method: collection.method,
    state: collection.state,
    reason: collection.reason,
    ...texts.money(collection.amount),
    cost_currency_id: costIn,
    cost: texts.amount(amountOf(costIn, collection.costUnits)),
    ended_at: secondsOrNull(collection.endedAtMs),
    transactions: outgoing
      .filter(({ subjectId }) => collection.subjectIds.includes(subjectId))
      .map((one) => presentOutgoing(one, texts)),
  };
}
