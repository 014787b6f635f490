// Events and their attempts as operators see them, wherever they are kept: in the outbox or in the archive.
import type { Reader } from '../../postgres/tx.ts';
import type { AttemptOutcome, EventState, EventType } from './outbox.ts';

/** One event; the body can hold what a payer or merchant wrote. */
export interface EventRecord {
  /** Time-ordered; what a page of the list continues behind. */
  readonly eventId: string;
  readonly appId: string;
  /** The subject of the event. */
  readonly tradeNo: string;
  readonly type: EventType;
  readonly status: string;
  readonly state: EventState;
  readonly url: string | null;
  readonly body: string;
  readonly attempts: number;
  /** Null if no attempt follows. During an attempt: when the next is due if the end of this one is never recorded. */
  readonly nextAttemptAtMs: number | null;
  /** Whether the newest attempt was claimed and has no recorded end; after a crash that lasts until the next. */
  readonly underWay: boolean;
  readonly createdAtMs: number;
}

export interface EventFilter {
  readonly eventId?: string | undefined;
  readonly appId?: string | undefined;
  readonly tradeNo?: string | undefined;
  readonly state?: EventState | undefined;
  /** Only events older than the one with this id. */
  readonly before?: string | undefined;
  /** At most this many, and never more than `MAX_LISTED`. */
  readonly limit: number;
}

/** The longest page of events. */
export const MAX_LISTED = 1_000;

/** Lists events, newest first. */
export function listEvents(reader: Reader, filter: EventFilter): Promise<readonly EventRecord[]> {
  const { sql, values } = eventList(filter);
  return reader.read<EventRecord>(sql, values);
}

interface Statement {
  readonly sql: string;
  readonly values: readonly (string | number)[];
}

/** The statement of a list. A condition is in it only where it was asked for, so that the planner can choose its index. */
export function eventList(filter: EventFilter): Statement {
  const values: (string | number)[] = [];
  const parameter = (value: string | number): string => `$${values.push(value)}`;
  const conditions = ['true'];
  if (filter.eventId !== undefined) conditions.push(`event_id = ${parameter(filter.eventId)}`);
  if (filter.appId !== undefined) {
    const appId = parameter(filter.appId);
    // BETWEEN, because for an equality the planner drops the app from ORDER BY, see `list-orders.ts`.
    conditions.push(`app_id BETWEEN ${appId} AND ${appId}`);
  }
  if (filter.tradeNo !== undefined) conditions.push(`trade_no = ${parameter(filter.tradeNo)}`);
  if (filter.state !== undefined) conditions.push(`state = ${parameter(filter.state)}`);
  if (filter.before !== undefined) conditions.push(`event_id < ${parameter(filter.before)}`);
  const order = filter.appId === undefined ? 'event_id DESC' : 'app_id DESC, event_id DESC';
  const limit = parameter(Math.min(filter.limit, MAX_LISTED));
  const page = `WHERE ${conditions.join(' AND ')} ORDER BY ${order} LIMIT ${limit}`;
  const columns = `event_id AS "eventId", app_id AS "appId", trade_no AS "tradeNo", type, status, state, url, body, attempts`;
  const sql = `
    SELECT * FROM (
      (SELECT ${columns}, next_attempt_at_ms AS "nextAttemptAtMs", leased_until_ms IS NOT NULL AS "underWay",
         created_at_ms AS "createdAtMs"
       FROM events ${page})
      UNION ALL
      (SELECT ${columns}, NULL, false, created_at_ms FROM archived_events ${page})
    ) AS either ORDER BY "eventId" DESC LIMIT ${limit}`;
  return { sql, values };
}

/** One attempt as operators see it. */
export interface AttemptRecord {
  readonly eventId: string;
  readonly attempt: number;
  readonly startedAtMs: number;
  readonly durationMs: number | null;
  readonly httpStatus: number | null;
  readonly outcome: AttemptOutcome;
}

/** The attempts of an event, newest first: 16 at most, and 16 more for each resend. */
export function listAttempts(reader: Reader, eventId: string): Promise<readonly AttemptRecord[]> {
  const attempts = (table: string) => `
    SELECT event_id AS "eventId", attempt, started_at_ms AS "startedAtMs", duration_ms AS "durationMs",
      http_status AS "httpStatus", outcome
    FROM ${table} WHERE event_id = $1`;
  return reader.read<AttemptRecord>(
    `${attempts('delivery_attempts')} UNION ALL ${attempts('archived_delivery_attempts')} ORDER BY attempt DESC LIMIT $2`,
    [eventId, MAX_LISTED],
  );
}
