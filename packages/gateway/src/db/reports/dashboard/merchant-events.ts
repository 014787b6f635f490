// Webhook events of several apps, newest first, in pages, wherever they are kept.
import type { Reader, SqlValue } from '../../postgres/tx.ts';
import type { EventRecord } from '../../tables/deliveries/event-lists.ts';
import type { EventState } from '../../tables/deliveries/outbox.ts';
import { oneOf } from '../../tables/one-of.ts';
import { readLookedThrough } from './looked-through.ts';
import { rowsLookedAt } from './rows-looked-at.ts';

export interface MerchantEventFilter {
  readonly appIds: readonly string[];
  readonly eventId?: string | undefined;
  readonly tradeNo?: string | undefined;
  readonly state?: EventState | undefined;
  /** Only events before this id, and from the id `from` on. */
  readonly before: string;
  readonly from: string;
  readonly limit: number;
}

/** Rows of an app that are searched for a page of a rare state, in the outbox and in the archive each. */
const depthOf = (appIds: readonly string[], limit: number) =>
  rowsLookedAt({ lists: 2 * appIds.length, limit });

export interface MerchantEventPage {
  readonly events: readonly EventRecord[];
  /** Set if the page ended before it was full: events from this one on were searched, older ones were not. */
  readonly searchedTo: string | null;
}

/** One page of a list. For a state without an index, a bounded number of rows is searched. */
export async function pageOfEvents(reader: Reader, filter: MerchantEventFilter): Promise<MerchantEventPage> {
  const { state, appIds, limit } = filter;
  if (!isLookedThrough(state)) return { events: await listMerchantEvents(reader, filter), searchedTo: null };
  const { sql: found, values } = merchantEventsOf(filter);
  const { rows: events, searchedTo } = await readLookedThrough<EventRecord>(reader, {
    found,
    floor: floorAt(`$${values.length + 1}`),
    id: 'eventId',
    values: [...values, depthOf(appIds, limit) - 1],
    limit,
  });
  return { events, searchedTo };
}

function isLookedThrough(state: EventState | undefined): boolean {
  return state === 'delivered' || state === 'unsent';
}

/** SQL: the oldest event that was searched, if there are more. */
function floorAt(depth: string): string {
  const deepest = (table: string) => `
    SELECT event_id FROM ${table} WHERE ${oneOf('app_id', 'w.id')} AND event_id < $2 AND event_id >= $3
    ORDER BY app_id DESC, event_id DESC OFFSET ${depth} LIMIT 1`;
  return `
    SELECT max(event_id) AS floor FROM unnest($1::text[]) AS w (id) CROSS JOIN LATERAL (
      (${deepest('events')}) UNION ALL (${deepest('archived_events')})) AS deepest`;
}

/** Includes the bodies, because the events of one subject are shown with them. */
export function listMerchantEvents(
  reader: Reader,
  filter: MerchantEventFilter,
): Promise<readonly EventRecord[]> {
  const { sql, values } = merchantEventsOf(filter);
  return reader.read<EventRecord>(sql, values);
}

/** The statement. Dead and pending events have an index; for other states a bounded number of rows is searched. */
function merchantEventsOf(filter: MerchantEventFilter): {
  readonly sql: string;
  readonly values: readonly SqlValue[];
} {
  const { appIds, eventId, tradeNo, state, before, from, limit } = filter;
  const values: SqlValue[] = [appIds, before, from, limit];
  const parameter = (value: SqlValue) => `$${values.push(value)}`;
  const named = [
    ...(eventId === undefined ? [] : [`event_id = ${parameter(eventId)}`]),
    ...(tradeNo === undefined ? [] : [`trade_no = ${parameter(tradeNo)}`]),
    // Written as in the conditions of the indexes. No pending event is in the archive.
    ...(state === 'dead' || state === 'pending' ? [`state = '${state}'`] : []),
  ];
  const late = state !== undefined && isLookedThrough(state) ? `state = ${parameter(state)}` : 'true';
  const depth = late === 'true' ? '$4' : parameter(depthOf(appIds, limit));
  const columns = 'event_id, app_id, trade_no, type, status, state, url, body, attempts, created_at_ms';
  // A subject or an id is found by its own index.
  const isNamed = eventId !== undefined || tradeNo !== undefined;
  const span = `${oneOf('app_id', 'w.id')} AND event_id < $2 AND event_id >= $3`;
  const order = isNamed ? 'event_id DESC' : 'app_id DESC, event_id DESC';
  const where = [span, ...named].join(' AND ');
  const page = (table: string, more: string) => `
    SELECT * FROM (
      SELECT ${columns}, ${more} FROM ${table} WHERE ${where} ORDER BY ${order} LIMIT ${depth}) AS looked
    WHERE ${late} ORDER BY event_id DESC LIMIT $4`;
  const isArchived = state !== 'pending';
  const sql = `
    SELECT event_id AS "eventId", app_id AS "appId", trade_no AS "tradeNo", type, status, state, url, body, attempts,
      next_attempt_at_ms AS "nextAttemptAtMs", under_way AS "underWay", created_at_ms AS "createdAtMs"
    FROM unnest($1::text[]) AS w (id) CROSS JOIN LATERAL (
      (${page('events', 'next_attempt_at_ms, leased_until_ms IS NOT NULL AS under_way')})
      ${isArchived ? `UNION ALL (${page('archived_events', 'NULL::bigint AS next_attempt_at_ms, false AS under_way')})` : ''}
      ) AS either
    ORDER BY event_id DESC LIMIT $4`;
  return { sql, values };
}
