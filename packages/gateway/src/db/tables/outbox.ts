// The outbox: events that merchants are told, written with the change that made them true, and read for operators.
import { createHash } from 'node:crypto';
import type { Reader, Tx } from '../postgres/tx.ts';

/** What became of an event: pending until delivered or dead; unsent where the merchant gave no address. */
export const eventStates = ['pending', 'delivered', 'dead', 'unsent'] as const;

export type EventState = (typeof eventStates)[number];

/**
 * What became of one attempt, pinned because it is stored. `unfinished` is written when the attempt is claimed:
 * it is under way, or the process that made it died.
 */
export const attemptOutcomes = [
  'unfinished',
  'delivered',
  'wrong-answer',
  'http-status',
  'timeout',
  'refused-address',
  'unresolved',
  'connection-failed',
  'tls-failed',
  'bad-http',
  'too-large',
  'not-signed',
] as const;

export type AttemptOutcome = (typeof attemptOutcomes)[number];

/** An event as accept-block and expire-orders write it. The body is the exact text that every attempt sends. */
export interface NewEvent {
  readonly eventId: string;
  readonly appId: string;
  readonly tradeNo: string;
  /** The order's status that the event tells. */
  readonly status: string;
  /** Whether it may overtake unfinished events of the same order; at most one per order and status. */
  readonly final: boolean;
  readonly body: string;
  /** The merchant's address, null where there is none: then the event is kept and never sent. */
  readonly url: string | null;
  readonly createdAtMs: number;
}

/** Writes events, due at once, in the order given; that order counts among events of one order. */
export async function insertEvents(tx: Tx, events: readonly NewEvent[]): Promise<void> {
  if (events.length === 0) return;
  await tx.write(INSERT, [
    events.map((event) => event.eventId),
    events.map((event) => event.appId),
    events.map((event) => event.tradeNo),
    events.map((event) => event.status),
    events.map((event) => event.final),
    events.map((event) => event.body),
    events.map((event) => event.url),
    events.map((event) => (event.url === null ? null : receiverOf(event.url))),
    events.map((event) => event.createdAtMs),
  ]);
}

const INSERT = `
  INSERT INTO events (event_id, app_id, trade_no, type, status, final, body, url, receiver, state,
                      next_attempt_at_ms, created_at_ms)
  SELECT event_id, app_id, trade_no, 'PAYMENT', status, final, body, url, receiver,
         CASE WHEN url IS NULL THEN 'unsent' ELSE 'pending' END,
         CASE WHEN url IS NULL THEN NULL ELSE created_at_ms END, created_at_ms
  FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::boolean[], $6::text[], $7::text[], $8::text[],
              $9::bigint[])
    WITH ORDINALITY AS new (event_id, app_id, trade_no, status, final, body, url, receiver, created_at_ms, place)
  ORDER BY place`;

/** Any host and port that exist fit; an index entry of PostgreSQL holds about ten times as much and no more. */
const MAX_RECEIVER = 255;

/**
 * Host and port of an address: what shares a fate. No text must undo the block that wrote the event, so one that is
 * no URL or has no host, or that is too long for the index, gets a receiver of another kind and the notifier refuses it.
 */
export function receiverOf(url: string): string {
  if (!URL.canParse(url)) return 'unreadable';
  const { hostname, port } = new URL(url);
  const host = hostname.endsWith('.') ? hostname.slice(0, -1) : hostname;
  if (host === '') return 'unreadable';
  const receiver = port === '' ? host : `${host}:${port}`;
  return receiver.length > MAX_RECEIVER ? createHash('sha256').update(receiver).digest('hex') : receiver;
}

/** An event as operators see it; the body can hold what a payer or merchant wrote. */
export interface EventRecord {
  readonly eventId: string;
  /** Rises with each event written; what a page of the list continues behind. */
  readonly sequence: number;
  readonly appId: string;
  readonly tradeNo: string;
  readonly type: string;
  readonly status: string;
  readonly state: EventState;
  readonly url: string | null;
  readonly body: string;
  readonly attempts: number;
  /** Null when nothing more is to come. While an attempt is under way, when the next is due if its end gets lost. */
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
  /** Only events written before the one with this sequence. */
  readonly before?: number | undefined;
  /** At most this many, and never more than `MAX_LISTED`. */
  readonly limit: number;
}

/** The longest page of events. */
export const MAX_LISTED = 1_000;

/** Lists events, newest first. */
export async function listEvents(reader: Reader, filter: EventFilter): Promise<readonly EventRecord[]> {
  // Each condition is in the statement only where it is asked for, so that the planner can choose its index.
  const values: (string | number)[] = [];
  const parameter = (value: string | number): string => `$${values.push(value)}`;
  const conditions = ['true'];
  if (filter.eventId !== undefined) conditions.push(`event_id = ${parameter(filter.eventId)}`);
  if (filter.appId !== undefined) conditions.push(`app_id = ${parameter(filter.appId)}`);
  if (filter.tradeNo !== undefined) conditions.push(`trade_no = ${parameter(filter.tradeNo)}`);
  if (filter.state !== undefined) conditions.push(`state = ${parameter(filter.state)}`);
  if (filter.before !== undefined) conditions.push(`sequence < ${parameter(filter.before)}`);
  return reader.read<EventRecord>(
    `SELECT event_id AS "eventId", sequence, app_id AS "appId", trade_no AS "tradeNo", type, status, state, url, body,
            attempts, next_attempt_at_ms AS "nextAttemptAtMs", leased_until_ms IS NOT NULL AS "underWay",
            created_at_ms AS "createdAtMs"
     FROM events WHERE ${conditions.join(' AND ')}
     ORDER BY sequence DESC LIMIT ${parameter(Math.min(filter.limit, MAX_LISTED))}`,
    values,
  );
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
  return reader.read<AttemptRecord>(
    `SELECT event_id AS "eventId", attempt, started_at_ms AS "startedAtMs", duration_ms AS "durationMs",
            http_status AS "httpStatus", outcome
     FROM delivery_attempts WHERE event_id = $1 ORDER BY attempt DESC LIMIT $2`,
    [eventId, MAX_LISTED],
  );
}
