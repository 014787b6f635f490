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
 * The result for an end: `written` with its event changed; `superseded` if a newer claim or a resend decides about the
 * event; `known` if it was written before; `locked` if another transaction holds the event.
 */
export type WrittenEnd = 'written' | 'superseded' | 'known' | 'locked';

/** Writes the ends, at most one of each event; returns the results in their order. Waits for no row lock. */
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

// `follower` is the next event of the subject, which waited for this event to finish. It becomes due now, unless it is
// under way already or between two attempts of its own. An event whose end is written here is under way, so no row is
// changed twice. A follower that another transaction holds is skipped: the holder is a claim, or something that checks
// the event again later.
// The arrays repeat the join conditions, because for an array the planner uses the index. Before PostgreSQL 17 the
// planner overestimates an index scan for many ids and reads a table of ten thousand rows instead, so held events are
// looked up one by one. `state || ''` keeps the planner from the index of all pending events, which it believes empty
// if the last ANALYZE ran in a quiet time. The events of one subject are found by their subject.
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
