// Claims taken back as if they had never been made.
import type { Tx } from '../../postgres/tx.ts';
import { type ClaimedDelivery, WAITS_SQL } from './claims.ts';

/** What was done with a claim; missing if the claim is no longer the newest of its event. */
export interface ReleasedClaim {
  readonly eventId: string;
  /** Whether another transaction holds the event. Then nothing was done, because no row lock is waited for. */
  readonly isLocked: boolean;
}

/** Releases claims in one statement, those that are still the newest of their events. */
export function releaseClaims(
  tx: Tx,
  claims: readonly Pick<ClaimedDelivery, 'eventId' | 'attempt' | 'dueAtMs'>[],
): Promise<readonly ReleasedClaim[]> {
  return tx.write<ReleasedClaim>(RELEASE, [
    claims.map(({ eventId }) => eventId),
    claims.map(({ attempt }) => attempt),
    claims.map(({ dueAtMs }) => dueAtMs),
  ]);
}

// The attempt before may have ended after this claim was made, too late to change the event by itself. If it failed,
// the wait after it still applies. If it succeeded, the attempt that was never made leaves no row.
// `state || ''` keeps the planner from the index of all pending events, see `attempt-ends.ts`.
const RELEASE = `
  WITH released AS (
    SELECT * FROM unnest($1::text[], $2::integer[], $3::bigint[]) AS claimed (event_id, attempt, due_at_ms)
  ), held AS MATERIALIZED (
    SELECT event_id FROM events WHERE event_id = ANY ($1::text[]) FOR NO KEY UPDATE SKIP LOCKED
  ), changed AS (
    UPDATE events SET attempts = attempts - 1, leased_until_ms = NULL,
      next_attempt_at_ms = CASE WHEN state = 'pending' THEN greatest(released.due_at_ms, (
        SELECT made.started_at_ms + made.duration_ms + (${WAITS_SQL})[made.attempt - schedule_start]
        FROM delivery_attempts AS made
        WHERE made.event_id = events.event_id AND made.attempt = released.attempt - 1 AND made.attempt > schedule_start
          AND made.outcome NOT IN ('unfinished', 'delivered')
      )) END
    FROM released JOIN held USING (event_id)
    WHERE events.event_id = released.event_id AND events.event_id = ANY ($1::text[]) AND attempts = released.attempt
      AND (state || '' = 'pending' AND leased_until_ms IS NOT NULL OR state || '' = 'delivered')
      AND EXISTS (
        SELECT FROM delivery_attempts AS made
        WHERE made.event_id = events.event_id AND made.attempt = released.attempt AND made.outcome = 'unfinished'
      )
    RETURNING events.event_id, released.attempt
  ), unmade AS (
    DELETE FROM delivery_attempts AS made USING changed
    WHERE made.event_id = changed.event_id AND made.attempt = changed.attempt AND made.outcome = 'unfinished'
      AND made.event_id = ANY ($1::text[])
    RETURNING made.event_id
  )
  SELECT event_id AS "eventId", false AS "isLocked" FROM unmade
  UNION ALL
  SELECT event_id, true FROM released JOIN events USING (event_id)
  WHERE event_id NOT IN (SELECT event_id FROM held) AND event_id = ANY ($1::text[])`;
