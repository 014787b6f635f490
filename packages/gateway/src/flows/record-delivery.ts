// Records how a webhook attempt ended: its row, then delivered, due again by the ladder, or dead.
import { nextAttemptInMs } from '@ducat/core/webhook/schedule';
import type { AttemptOutcome } from '../store/outbox.ts';
import type { Tx } from '../store/tx.ts';

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

/**
 * Records the end of an attempt in one statement; recording it twice is harmless.
 *
 * The attempt's number tells whether the claim is still the newest. A failure that comes back after its lease ran
 * out and another claim was made changes nothing. A success counts even then, also for a dead event: the merchant
 * has confirmed, and more attempts would only repeat what it knows. Not for an event that was resent since: whoever
 * asked for that wants it sent again.
 */
export async function recordDelivery(tx: Tx, ended: EndedDelivery): Promise<RecordedDelivery> {
  const waitMs = nextAttemptInMs(ended.attemptOnLadder);
  const state = ended.outcome === 'delivered' ? 'delivered' : waitMs === null ? 'dead' : 'pending';
  const [row] = await tx.write<Row>(RECORD, [
    ended.eventId,
    ended.attempt,
    Math.max(0, ended.endedAtMs - ended.startedAtMs),
    ended.httpStatus,
    ended.outcome,
    state,
    state === 'pending' && waitMs !== null ? ended.endedAtMs + waitMs : null,
    ended.endedAtMs,
  ]);
  if (row === undefined || row.recorded === 0) return 'known';
  if (row.changed === 0) return 'superseded';
  return state === 'pending' ? 'due-again' : state;
}

// `follower` is the next event of the order, which had to wait for this one to finish: it is due now, unless it is
// on its way already or between rungs of its own ladder.
const RECORD = `
  WITH recorded AS (
    UPDATE delivery_attempts SET duration_ms = $3::integer, http_status = $4::integer, outcome = $5::text
    WHERE event_id = $1::text AND attempt = $2::integer AND outcome = 'unfinished'
    RETURNING event_id
  ), changed AS (
    UPDATE events SET state = $6::text, next_attempt_at_ms = $7::bigint, leased_until_ms = NULL
    FROM recorded
    WHERE events.event_id = recorded.event_id
      AND CASE WHEN $6::text = 'delivered' THEN state IN ('pending', 'dead') AND ladder_start < $2::integer
               ELSE state = 'pending' AND attempts = $2::integer END
    RETURNING events.trade_no, events.sequence
  ), follower AS (
    UPDATE events SET next_attempt_at_ms = $8::bigint
    WHERE $6::text <> 'pending' AND leased_until_ms IS NULL AND attempts = ladder_start
      AND next_attempt_at_ms > $8::bigint
      AND event_id = (
        SELECT following.event_id FROM events AS following, changed
        WHERE following.state = 'pending' AND following.trade_no = changed.trade_no
          AND following.sequence > changed.sequence
        ORDER BY following.sequence LIMIT 1
      )
  )
  SELECT (SELECT count(*)::integer FROM recorded) AS recorded, (SELECT count(*)::integer FROM changed) AS changed`;

interface Row {
  readonly recorded: number;
  readonly changed: number;
}
