// The ends of webhook attempts, written down together with what becomes of their events.
import type { Tx } from '../../postgres/tx.ts';
import type { AttemptOutcome } from './outbox.ts';

/** How an attempt ended, and what its event is from then on. */
export interface AttemptEnd {
  readonly eventId: string;
  readonly attempt: number;
  readonly startedAtMs: number;
  readonly durationMs: number;
  /** The status of the response, null where none came. */
  readonly httpStatus: number | null;
  readonly outcome: Exclude<AttemptOutcome, 'unfinished'>;
  readonly endedAtMs: number;
  readonly state: 'delivered' | 'pending' | 'dead';
  /** Null unless the event is pending. */
  readonly nextAttemptAtMs: number | null;
}

/**
 * What was done with an end: `written` with its event changed, `superseded` where a newer claim or a resend decides
 * about the event, `known` where it was written before, `locked` where another transaction holds the event.
 */
export type WrittenEnd = 'written' | 'superseded' | 'known' | 'locked';

/** Writes the ends, at most one of each event; what was done with each, in their order. No row is waited for. */
export async function writeAttemptEnds(tx: Tx, ends: readonly AttemptEnd[]): Promise<readonly WrittenEnd[]> {
  const rows = await tx.write<Row>(WRITE, [
    ends.map((end) => end.eventId),
    ends.map((end) => end.attempt),
    ends.map((end) => end.startedAtMs),
    ends.map((end) => end.durationMs),
    ends.map((end) => end.httpStatus),
    ends.map((end) => end.outcome),
    ends.map((end) => end.state),
    ends.map((end) => end.nextAttemptAtMs),
    ends.map((end) => end.endedAtMs),
  ]);
  const done = new Map(rows.map((row) => [row.event_id, row.done]));
  return ends.map(({ eventId }) => done.get(eventId) ?? 'known');
}

// `follower` is the next event of the subject, which had to wait for this one to finish: it is due now, unless it is on
// its way already or between two attempts of its own. An event that ends here itself is on its way, so no row is changed
// twice. Where another transaction holds it, it is left alone: that can only be a claim, or what looks at it again later.
// The arrays repeat what the joins say, because for arrays the planner takes the index. Before 17 it expects so much of an
// index scan for many that it reads a table of ten thousand rows instead, so what is held is looked up one by one. And
// `state || ''` keeps the planner from an index of all pending events, which it takes for empty when it last counted them
// in a quiet time; the events of one subject are found by their subject.
const WRITE = `
  WITH ended AS (
    SELECT * FROM unnest($1::text[], $2::integer[], $3::bigint[], $4::integer[], $5::integer[], $6::text[], $7::text[],
                         $8::bigint[], $9::bigint[])
      AS end_of (event_id, attempt, started_at_ms, duration_ms, http_status, outcome, state, due_at_ms, ended_at_ms)
  ), held AS MATERIALIZED (
    SELECT event_id FROM unnest($1::text[]) AS wanted (id), LATERAL (
      SELECT event_id FROM events WHERE event_id = wanted.id FOR NO KEY UPDATE SKIP LOCKED
    ) AS one
  ), recorded AS (
    UPDATE delivery_attempts AS made SET
      started_at_ms = ended.started_at_ms, duration_ms = ended.duration_ms, http_status = ended.http_status,
      outcome = ended.outcome
    FROM ended JOIN held USING (event_id)
    WHERE made.event_id = ended.event_id AND made.attempt = ended.attempt AND made.outcome = 'unfinished'
      AND made.event_id = ANY ($1::text[])
    RETURNING ended.*
  ), changed AS (
    UPDATE events SET state = recorded.state, next_attempt_at_ms = recorded.due_at_ms, leased_until_ms = NULL
    FROM recorded
    WHERE events.event_id = recorded.event_id AND events.event_id = ANY ($1::text[])
      AND schedule_start < recorded.attempt
      AND CASE WHEN recorded.state = 'delivered' THEN events.state IN ('pending', 'dead')
               ELSE events.state = 'pending' AND attempts = recorded.attempt END
    RETURNING events.event_id, events.trade_no, events.sequence, events.state, recorded.ended_at_ms
  ), woken AS MATERIALIZED (
    SELECT following.event_id, min(changed.ended_at_ms) AS at_ms FROM changed, LATERAL (
      SELECT events.event_id FROM events
      WHERE events.state || '' = 'pending' AND events.trade_no = changed.trade_no
        AND events.sequence > changed.sequence
      ORDER BY events.sequence LIMIT 1
    ) AS following
    WHERE changed.state <> 'pending' GROUP BY following.event_id
  ), held_followers AS MATERIALIZED (
    SELECT event_id FROM events WHERE event_id = ANY (ARRAY(SELECT event_id FROM woken))
    FOR NO KEY UPDATE SKIP LOCKED
  ), follower AS (
    UPDATE events SET next_attempt_at_ms = woken.at_ms
    FROM woken
    WHERE events.event_id = woken.event_id AND events.event_id = ANY (ARRAY(SELECT event_id FROM held_followers))
      AND leased_until_ms IS NULL AND attempts = schedule_start AND next_attempt_at_ms > woken.at_ms
  )
  SELECT event_id,
    CASE WHEN event_id IN (SELECT event_id FROM changed) THEN 'written' ELSE 'superseded' END AS done
  FROM recorded
  UNION ALL
  SELECT event_id, 'locked' FROM ended WHERE event_id NOT IN (SELECT event_id FROM held)`;

interface Row {
  readonly event_id: string;
  readonly done: WrittenEnd;
}
