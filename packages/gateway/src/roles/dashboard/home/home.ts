// home.read: what came in over a period, what needs a person, and whether webhooks arrive.
import type { RequestOf, ResponseOf } from '@ducat/contract/dashboard/registry';
import { add, type Amount, zero } from '@ducat/core/money/amount';
import {
  readReceived,
  readWaiting,
  readWebhookHealth,
  type ReceivedSum,
} from '../../../db/reports/dashboard/home-report.ts';
import { listMerchantOrders } from '../../../db/reports/dashboard/orders/order-list.ts';
import { firstIdAt } from '../../../runtime/ids.ts';
import { type Answer, answer } from '../call.ts';
import { appsOf, BEHIND_ALL, type MerchantCall } from '../merchant-scope.ts';
import { presentOrder } from '../orders/order-rows.ts';
import { readTexts, seconds, usdText } from '../texts.ts';
import { createWorth, sumOf, type WorthOf } from '../worth.ts';

const PERIODS = {
  '24h': { bucketSeconds: 3_600, buckets: 24 },
  '7d': { bucketSeconds: 21_600, buckets: 28 },
  '30d': { bucketSeconds: 86_400, buckets: 30 },
} as const;

const NEWEST_ORDERS = 8;
const EVENTS_LOOKED_AT = 1_000;
const DAY_MS = 86_400_000;

/** Also called for live pages, which have no HTTP request, so it needs only these parts of a call. */
export async function handleHome(
  call: Pick<MerchantCall, 'reader' | 'deps' | 'nowMs' | 'merchantId'>,
  { period }: RequestOf<'home.read'>,
): Promise<Answer<ResponseOf<'home.read'>>> {
  const { reader, deps, nowMs } = call;
  const now = seconds(nowMs);
  const appIds = ((await appsOf(call)) ?? []).map(({ appId }) => appId);
  const { bucketSeconds, buckets } = PERIODS[period];
  // The last column is the whole one that contains now, so that all columns are equally wide.
  const end = (Math.floor(now / bucketSeconds) + 1) * bucketSeconds;
  const from = end - bucketSeconds * buckets;
  const { sums, isPartial } = await readReceived(reader, { appIds, from, bucketSeconds, buckets });
  const waiting = await readWaiting(reader, appIds, now);
  const webhooks = await readWebhookHealth(
    reader,
    appIds,
    firstIdAt('evt', nowMs - DAY_MS),
    EVENTS_LOOKED_AT,
  );
  const newest = await listMerchantOrders(reader, {
    appIds,
    before: BEHIND_ALL,
    from: '',
    limit: NEWEST_ORDERS,
  });
  const texts = await readTexts({ ...deps, reader });
  const received = await byCurrency(sums, buckets, createWorth(deps));
  return answer({
    now,
    received: received.map(({ currencyId, amount, before, value, payments, points }) => ({
      currency_id: currencyId,
      amount: texts.amount(amount),
      amount_before: texts.amount(before),
      value_usd: usdText(value),
      payments,
      points: points.map(texts.amount),
    })),
    value_usd: usdText(sumOf(received.map(({ value }) => value))),
    value_usd_before: usdText(sumOf(received.map(({ valueBefore }) => valueBefore))),
    bucket_starts: Array.from({ length: buckets }, (_, bucket) => from + bucket * bucketSeconds),
    bucket_seconds: bucketSeconds,
    is_partial: isPartial,
    needs_you: {
      open_orders: waiting.openOrders,
      timed_out_with_money: waiting.timedOutWithMoney,
      unassigned_receipts: waiting.unassigned,
      payouts_open: waiting.payoutsOpen,
      payouts_to_approve: waiting.payoutsToApprove,
      dead_webhooks: waiting.deadEvents,
    },
    webhooks: { ...webhooks },
    newest_orders: newest.orders.map((order) => presentOrder(order, texts)),
  });
}

async function byCurrency(sums: readonly ReceivedSum[], buckets: number, worthOf: WorthOf) {
  const currencyIds = [...new Set(sums.map(({ currencyId }) => currencyId))];
  return Promise.all(
    currencyIds.map(async (currencyId) => {
      const own = sums.filter((sum) => sum.currencyId === currencyId);
      const total = (some: readonly ReceivedSum[]) =>
        some.reduce<Amount>((sum, { amount }) => add(sum, amount), zero(currencyId));
      const inside = own.filter(({ bucket }) => bucket >= 0);
      const amount = total(inside);
      const before = total(own.filter(({ bucket }) => bucket < 0));
      return {
        currencyId,
        amount,
        before,
        value: await worthOf(amount),
        valueBefore: await worthOf(before),
        payments: inside.reduce((count, { payments }) => count + payments, 0),
        points: Array.from({ length: buckets }, (_, at) => total(own.filter(({ bucket }) => bucket === at))),
      };
    }),
  );
}
