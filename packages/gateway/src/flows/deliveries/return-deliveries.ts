// Gives claims back that nobody began: the events are due as before, in their place, and the attempts were never made.
import type { Tx } from '../../db/postgres/tx.ts';
import { type ClaimedDelivery, WAITS_MS } from './claim-deliveries.ts';

/**
 * Gives claims back in one statement, those that are still the newest of their events. Only whoever made a claim and
 * will never send it may call this, and once only: the number of the attempt is free again, so a second try after an
 * unknown outcome could take somebody else's claim away. What is not given back comes back by its lease. An event that
 * another transaction holds is not waited for: nothing was done with it, and it may be tried again.
 */
export async function returnDeliveries(
  tx: Tx,
  deliveries: readonly Pick<ClaimedDelivery, 'eventId' | 'attempt' | 'dueAtMs'>[],
): Promise<Returned> {
  const rows = await tx.write<{ readonly event_id: string; readonly locked: boolean }>(RETURN, [
    deliveries.map(({ eventId }) => eventId),
    deliveries.map(({ attempt }) => attempt),
    deliveries.map(({ dueAtMs }) => dueAtMs),
    WAITS_MS,
  ]);
  const locked = rows.filter((row) => row.locked).map((row) => row.event_id);
  return { returned: rows.length - locked.length, locked };
}

export interface Returned {
  readonly returned: number;
  /** The events that another transaction holds. */
  readonly locked: readonly string[];
}

// The attempt before may have ended since the claim was made, too late to count by itself: a failure still has its rung
// to wait, and after a success the attempt that was never made leaves no row behind.
// `state || ''` keeps the planner from the index of all pending events, see `recordDeliveries`.
const RETURN = `
  WITH returned AS (
    SELECT * FROM unnest($1::text[], $2::integer[], $3::bigint[]) AS claimed (event_id, attempt, due_at_ms)
  ), held AS MATERIALIZED (
    SELECT event_id FROM events WHERE event_id = ANY ($1::text[]) FOR NO KEY UPDATE SKIP LOCKED
  ), changed AS (
    UPDATE events SET attempts = attempts - 1, leased_until_ms = NULL,
      next_attempt_at_ms = CASE WHEN state = 'pending' THEN greatest(returned.due_at_ms, (
        SELECT made.started_at_ms + made.duration_ms + ($4::bigint[])[made.attempt - schedule_start]
        FROM delivery_attempts AS made
        WHERE made.event_id = events.event_id AND made.attempt = returned.attempt - 1 AND made.attempt > schedule_start
          AND made.outcome NOT IN ('unfinished', 'delivered')
      )) END
    FROM returned JOIN held USING (event_id)
    WHERE events.event_id = returned.event_id AND events.event_id = ANY ($1::text[]) AND attempts = returned.attempt
      AND (state || '' = 'pending' AND leased_until_ms IS NOT NULL OR state || '' = 'delivered')
      AND EXISTS (
        SELECT FROM delivery_attempts AS made
        WHERE made.event_id = events.event_id AND made.attempt = returned.attempt AND made.outcome = 'unfinished'
      )
    RETURNING events.event_id, returned.attempt
  ), unmade AS (
    DELETE FROM delivery_attempts AS made USING changed
    WHERE made.event_id = changed.event_id AND made.attempt = changed.attempt AND made.outcome = 'unfinished'
      AND made.event_id = ANY ($1::text[])
    RETURNING made.event_id
  )
  SELECT event_id, false AS locked FROM unmade
  UNION ALL
  SELECT event_id, true FROM returned JOIN events USING (event_id)
  WHERE event_id NOT IN (SELECT event_id FROM held) AND event_id = ANY ($1::text[])`;
