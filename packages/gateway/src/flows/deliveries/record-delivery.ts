// Records how webhook attempts ended: their rows, then delivered, due again by the ladder, or dead.
import { assert } from '@ducat/core/assert';
import { nextAttemptInMs } from '@ducat/core/webhook/schedule';
import type { AttemptOutcome } from '../../db/tables/outbox.ts';
import type { Tx } from '../../db/postgres/tx.ts';

/** An attempt that came to its end. */
export interface EndedDelivery {
  readonly eventId: string;
  readonly attempt: number;
  readonly attemptOnLadder: number;
  readonly startedAtMs: number;
  readonly endedAtMs: number;
  readonly outcome: Exclude<AttemptOutcome, 'unfinished'>;
  /** The answer's status, null where none came. */
  readonly httpStatus: number | null;
}

/**
 * What the event came to. `superseded`: the attempt's row is kept, but the event had moved on, so nothing follows
 * from it. `known`: this attempt had been recorded before; nothing was changed.
 */
export type RecordedDelivery = 'delivered' | 'due-again' | 'dead' | 'superseded' | 'known';

/** Another transaction holds the event: nothing was recorded, and it has to be tried again. */
export type NotRecorded = 'locked';

/** PostgreSQL's integer ends here; only a clock that was put right in between makes an attempt this long. */
const MAX_DURATION_MS = 2 ** 31 - 1;

/** The most that are recorded at once. */
export const MAX_RECORDED = 256;

/**
 * Records the ends of attempts in one statement, of each event one at most, and tells what the events came to, in
 * the order given; recording them twice is harmless.
 *
 * The attempt's number tells whether the claim is still the newest. A failure that comes back after its lease ran
 * out and another claim was made changes nothing. A success counts even then, also for a dead event: the merchant
 * has confirmed, and more attempts would only repeat what it knows. Not for an event that was resent since: whoever
 * asked for that wants it sent again.
 *
 * No row is waited for: one event that somebody holds must not keep all the others from being recorded.
 */
export async function recordDeliveries(
  tx: Tx,
  all: readonly EndedDelivery[],
): Promise<readonly (RecordedDelivery | NotRecorded)[]> {
  assert(all.length <= MAX_RECORDED, `at most ${MAX_RECORDED} ends are recorded at once`);
  assert(new Set(all.map(({ eventId }) => eventId)).size === all.length, 'one end of each event at once');
  const ends = all.map(judge);
  const rows = await tx.write<Row>(RECORD, [
    all.map((ended) => ended.eventId),
    all.map((ended) => ended.attempt),
    all.map((ended) => ended.startedAtMs),
    all.map(durationOf),
    all.map((ended) => ended.httpStatus),
    all.map((ended) => ended.outcome),
    ends.map((end) => end.state),
    ends.map((end) => end.nextAttemptAtMs),
    all.map((ended) => ended.endedAtMs),
  ]);
  const changed = new Map(rows.map((row) => [row.event_id, row.changed]));
  return all.map(({ eventId }, place) => {
    const end = ends[place];
    if (end === undefined || !changed.has(eventId)) return 'known';
    if (changed.get(eventId) === null) return 'locked';
    if (changed.get(eventId) === false) return 'superseded';
    return end.state === 'pending' ? 'due-again' : end.state;
  });
}

function durationOf({ startedAtMs, endedAtMs }: EndedDelivery): number {
  return Math.min(Math.max(0, endedAtMs - startedAtMs), MAX_DURATION_MS);
}

interface End {
  readonly state: 'delivered' | 'pending' | 'dead';
  readonly nextAttemptAtMs: number | null;
}

function judge(ended: EndedDelivery): End {
  const waitMs = nextAttemptInMs(ended.attemptOnLadder);
  const state = ended.outcome === 'delivered' ? 'delivered' : waitMs === null ? 'dead' : 'pending';
  return { state, nextAttemptAtMs: state === 'pending' && waitMs !== null ? ended.endedAtMs + waitMs : null };
}

// `follower` is the next event of the order, which had to wait for this one to finish: it is due now, unless it is
// on its way already or between rungs of its own ladder. An event that ends here itself is on its way, so no row is
// changed twice. Where somebody holds it, it is left: that can only be a claim, or what looks at it again later.
// The arrays say again what the joins say, since for arrays the planner always takes the index. And `state || ''`
// keeps the planner from an index of all pending events, which it thinks empty when it last counted them in a quiet
// time; the events of one order are found by their order.
const RECORD = `
  WITH ended AS (
    SELECT * FROM unnest($1::text[], $2::integer[], $3::bigint[], $4::integer[], $5::integer[], $6::text[], $7::text[],
                         $8::bigint[], $9::bigint[])
      AS end_of (event_id, attempt, started_at_ms, duration_ms, http_status, outcome, state, due_at_ms, ended_at_ms)
  ), held AS MATERIALIZED (
    SELECT event_id FROM events WHERE event_id = ANY ($1::text[]) FOR NO KEY UPDATE SKIP LOCKED
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
  SELECT event_id, event_id IN (SELECT event_id FROM changed) AS changed FROM recorded
  UNION ALL
  SELECT event_id, NULL FROM ended WHERE event_id NOT IN (SELECT event_id FROM held)`;

interface Row {
  readonly event_id: string;
  /** Null where the event was locked. */
  readonly changed: boolean | null;
}
