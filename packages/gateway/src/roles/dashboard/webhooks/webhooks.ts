// The webhook console: events, their exact bodies and attempts, and sending them again.
import type { ResponseOf } from '@ducat/contract/dashboard/registry';
import { headerNames } from '@ducat/contract/signature';
import { readEventsToResend } from '../../../db/reports/dashboard/events-to-resend.ts';
import { listMerchantEvents, pageOfEvents } from '../../../db/reports/dashboard/merchant-events.ts';
import { readAttemptsOf } from '../../../db/reports/dashboard/subject-attempts.ts';
import type { EventRecord } from '../../../db/tables/deliveries/event-lists.ts';
import { resendEvents } from '../../../flows/deliveries/resend-events.ts';
import { findOwnApp } from '../apps/own-app.ts';
import { answer, type Handler, unknown } from '../call.ts';
import { appsOf, BEHIND_ALL, DEFAULT_ROWS, idSpan, type MerchantCall, nextOf } from '../merchant-scope.ts';
import { presentAttempt } from '../orders/timeline-entries.ts';
import { seconds, secondsOrNull } from '../texts.ts';

/** The most events that one call resends, in one transaction. */
const MAX_RESENT_OF_A_SPAN = 1_000;

export const handleEventList: Handler<'webhooks.list'> = async (call, request) => {
  const apps = await appsOf(call, request.app_id);
  if (apps === null) return unknown('app');
  const limit = request.limit ?? DEFAULT_ROWS;
  const { events, searchedTo } = await pageOfEvents(call.reader, {
    appIds: apps.map(({ appId }) => appId),
    state: request.state,
    tradeNo: request.trade_no,
    ...idSpan('evt', request),
    limit,
  });
  return answer({
    events: events.map(presentEvent),
    next_cursor: searchedTo ?? nextOf(events, limit, ({ eventId }) => eventId),
  });
};

function presentEvent(event: EventRecord): ResponseOf<'webhooks.list'>['events'][number] {
  return {
    event_id: event.eventId,
    app_id: event.appId,
    trade_no: event.tradeNo,
    type: event.type,
    status: event.status,
    state: event.state,
    url: event.url,
    attempts: event.attempts,
    next_attempt_at: secondsOrNull(event.nextAttemptAtMs),
    under_way: event.underWay,
    created_at: seconds(event.createdAtMs),
  };
}

export const handleEventRead: Handler<'webhooks.read'> = async (call, { event_id: eventId }) => {
  const [event] = await ownEvents(call, [eventId]);
  if (event === undefined) return unknown('event');
  const attempts = (await readAttemptsOf(call.reader, [eventId])).get(eventId) ?? [];
  return answer({
    event: presentEvent(event),
    body: event.body,
    headers: [
      { name: headerNames.appId, value: event.appId },
      { name: headerNames.eventType, value: event.status },
      { name: headerNames.eventId, value: eventId },
      { name: 'Content-Type', value: 'application/json' },
      { name: 'User-Agent', value: 'Ducat-Webhook/1' },
    ],
    attempts: attempts.map(presentAttempt),
  });
};

/** The events with these ids that are the merchant's. */
async function ownEvents(call: MerchantCall, eventIds: readonly string[]): Promise<readonly EventRecord[]> {
  const appIds = ((await appsOf(call)) ?? []).map(({ appId }) => appId);
  const found: EventRecord[] = [];
  for (const eventId of new Set(eventIds)) {
    const named = { appIds, eventId, before: BEHIND_ALL, from: '', limit: 1 };
    found.push(...(await listMerchantEvents(call.reader, named)));
  }
  return found;
}

export const handleResend: Handler<'webhooks.resend'> = async (call, { event_ids: eventIds }) => {
  const own = (await ownEvents(call, eventIds)).map(({ eventId }) => eventId);
  if (own.length < new Set(eventIds).size) return unknown('event');
  const resent = await resend(call, own, own.join(' '));
  return answer({ resent: [...resent] });
};

export const handleResendSpan: Handler<'webhooks.resend-span'> = async (call, request) => {
  const { app_id: appId, state, from, to, cursor = '' } = request;
  if ((await findOwnApp(call, appId)) === null) return unknown('app');
  const limit = MAX_RESENT_OF_A_SPAN;
  const { from: first, before } = idSpan('evt', { from, to });
  // No id is the same text as `first`, so the span begins behind it, as a later page begins behind its cursor.
  const after = cursor > first ? cursor : first;
  const span = { appId, state, after, before, limit };
  const { eventIds: ids, searchedTo } = await readEventsToResend(call.reader, span);
  const resent =
    ids.length === 0 ? [] : await resend(call, ids, `${state} of ${appId} from ${from} to ${to}`);
  return answer({ resent: resent.length, next_cursor: searchedTo ?? nextOf(ids, limit, (id) => id) });
};

async function resend(
  call: MerchantCall,
  eventIds: readonly string[],
  what: string,
): Promise<readonly string[]> {
  return call.deps.transact(async (tx) => {
    const resent = await resendEvents(tx, { eventIds }, call.nowMs);
    await call.record(tx, { subject: `${resent.length} events`, detail: what.slice(0, 1_000) });
    return resent;
  });
}
