// Gives claims back that nobody began: the events are due as before, in their place, and the attempts were never made.
import type { Tx } from '../store/tx.ts';
import type { ClaimedDelivery } from './claim-deliveries.ts';

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
  ]);
  const locked = rows.filter((row) => row.locked).map((row) => row.event_id);
  return { returned: rows.length - locked.length, locked };
}

export interface Returned {
  readonly returned: number;
  /** The events that another transaction holds. */
  readonly locked: readonly string[];
}

// `state || ''` keeps the planner from the index of all pending events, see `recordDeliveries`.
const RETURN = `
  WITH returned AS (
    SELECT * FROM unnest($1::text[], $2::integer[], $3::bigint[]) AS claimed (event_id, attempt, due_at_ms)
  ), held AS MATERIALIZED (
    SELECT event_id FROM events WHERE event_id = ANY ($1::text[]) FOR NO KEY UPDATE SKIP LOCKED
  ), changed AS (
    UPDATE events SET attempts = attempts - 1, next_attempt_at_ms = returned.due_at_ms, leased_until_ms = NULL
    FROM returned JOIN held USING (event_id)
    WHERE events.event_id = returned.event_id AND events.event_id = ANY ($1::text[])
      AND state || '' = 'pending' AND attempts = returned.attempt AND leased_until_ms IS NOT NULL
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
