// The webhooks of the shown shop: all are sent, and one is not delivered.
import { claimDeliveries } from '@ducat/gateway/flows/deliveries/claim-deliveries';
import { type EndedDelivery, recordDeliveries } from '@ducat/gateway/flows/deliveries/record-delivery';
import type { DashboardShop } from '../api/dashboard-shop.ts';

/**
 * Delivers all webhooks but that of the last paid order: it is answered with 503, and a minute later not at all.
 * Gives the id of its event.
 */
export async function sendWebhooks(shop: DashboardShop, paidAtMs: number): Promise<string> {
  const sent = await sendDue(shop, paidAtMs + 3_000, (last) => ({
    outcome: last ? 'http-status' : 'delivered',
    httpStatus: last ? 503 : 200,
  }));
  await sendDue(shop, paidAtMs + 66_000, () => ({ outcome: 'timeout', httpStatus: null }));
  return sent.at(-1) ?? '';
}

/** Ends all deliveries that are due at that time. Gives the ids of their events. */
async function sendDue(
  { api: { database } }: DashboardShop,
  nowMs: number,
  endOf: (isLast: boolean) => Pick<EndedDelivery, 'outcome' | 'httpStatus'>,
): Promise<readonly string[]> {
  const limits = {
    leaseMs: 60_000,
    maxDeliveries: 50,
    maxPerApp: 50,
    maxPerReceiver: 50,
    underWay: [],
    after: new Map(),
  };
  const { deliveries } = await claimDeliveries(database, { ...limits, nowMs });
  const ended = deliveries.map(({ eventId, attempt, scheduledAttempt }, place) => ({
    eventId,
    attempt,
    scheduledAttempt,
    startedAtMs: nowMs,
    endedAtMs: nowMs + 180,
    ...endOf(place === deliveries.length - 1),
  }));
  await database.transact((tx) => recordDeliveries(tx, ended));
  return deliveries.map(({ eventId }) => eventId);
}
