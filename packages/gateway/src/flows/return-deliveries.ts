// Gives claims back that nobody began: the events are due as before, and the attempts were never made.
import type { Tx } from '../store/tx.ts';
import type { ClaimedDelivery } from './claim-deliveries.ts';

/**
 * Gives claims back in one statement, those that are still the newest of their events. Only whoever made a claim and
 * will never send it may call this, and once only: the number of the attempt is free again, so a second try after an
 * unknown outcome could take somebody else's claim away. What is not given back comes back by its lease.
 */
export async function returnDeliveries(
  tx: Tx,
  deliveries: readonly Pick<ClaimedDelivery, 'eventId' | 'attempt'>[],
  nowMs: number,
): Promise<number> {
  const rows = await tx.write<{ readonly event_id: string }>(RETURN, [
    deliveries.map(({ eventId }) => eventId),
    deliveries.map(({ attempt }) => attempt),
    nowMs,
  ]);
  return rows.length;
}

const RETURN = `
  WITH returned AS (
    SELECT * FROM unnest($1::text[], $2::integer[]) AS claimed (event_id, attempt)
  ), changed AS (
    UPDATE events SET attempts = attempts - 1, next_attempt_at_ms = $3::bigint, leased_until_ms = NULL
    FROM returned
    WHERE events.event_id = returned.event_id AND events.event_id = ANY ($1::text[])
      AND state = 'pending' AND attempts = returned.attempt AND leased_until_ms IS NOT NULL
    RETURNING events.event_id, returned.attempt
  )
  DELETE FROM delivery_attempts AS made USING changed
  WHERE made.event_id = changed.event_id AND made.attempt = changed.attempt AND made.outcome = 'unfinished'
    AND made.event_id = ANY ($1::text[])
  RETURNING made.event_id`;
