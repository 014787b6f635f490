// The outbox: events for merchants, written in the transaction that made them true.
import { createHash } from 'node:crypto';
import type { Tx } from '../../postgres/tx.ts';

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

/** What events are about, pinned because it is stored: the webhook's type. */
export const eventTypes = ['PAYMENT', 'TRANSFER', 'QR_PAYMENT'] as const;

export type EventType = (typeof eventTypes)[number];

/** An event as the flow that made it true writes it. The body is the exact text that every attempt sends. */
export interface NewEvent {
  readonly eventId: string;
  readonly appId: string;
  readonly type: EventType;
  /** The subject: what it is about, an order or whatever else has such a number. */
  readonly tradeNo: string;
  /** The status of the subject that the event reports. */
  readonly status: string;
  /** Whether it may overtake unfinished events of its subject; at most one per subject and status, for ever. */
  readonly final: boolean;
  readonly body: string;
  /** The merchant's address, null where there is none: then the event is kept and never sent. */
  readonly url: string | null;
  readonly createdAtMs: number;
}

/** Writes events, due at once, in the order given; that order counts among events of one subject. */
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
    events.map((event) => event.type),
  ]);
}

// A final event that its subject has had already breaks `final_events_pkey`, also where that one is in the archive.
const INSERT = `
  WITH new AS MATERIALIZED (
    SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::boolean[], $6::text[], $7::text[],
                         $8::text[], $9::bigint[], $10::text[])
      WITH ORDINALITY AS new (event_id, app_id, trade_no, status, final, body, url, receiver, created_at_ms, type, place)
  ), finals AS (
    INSERT INTO final_events (trade_no, status, event_id) SELECT trade_no, status, event_id FROM new WHERE final
  )
  INSERT INTO events (event_id, app_id, trade_no, type, status, final, body, url, receiver, state,
                      next_attempt_at_ms, created_at_ms)
  SELECT event_id, app_id, trade_no, type, status, final, body, url, receiver,
         CASE WHEN url IS NULL THEN 'unsent' ELSE 'pending' END,
         CASE WHEN url IS NULL THEN NULL ELSE created_at_ms END, created_at_ms
  FROM new ORDER BY place`;

/** Any host and port that exist fit; an index entry of PostgreSQL holds about ten times as much and no more. */
const MAX_RECEIVER = 255;

/**
 * Host and port of a URL, because URLs that share both fail together. No text may roll back the transaction that writes
 * the event. So a text that is no URL, has no host, or is too long for the index gets a receiver of another kind, and
 * the notifier refuses it.
 */
export function receiverOf(url: string): string {
  if (!URL.canParse(url)) return 'unreadable';
  const { hostname, port } = new URL(url);
  const host = hostname.endsWith('.') ? hostname.slice(0, -1) : hostname;
  if (host === '') return 'unreadable';
  const receiver = port === '' ? host : `${host}:${port}`;
  return receiver.length > MAX_RECEIVER ? createHash('sha256').update(receiver).digest('hex') : receiver;
}
