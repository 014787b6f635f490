// Brings forward what a clock that was ahead has put off: nothing waits longer than its rung of the ladder says.
import type { Tx } from '../store/tx.ts';
import { WAITS_MS } from './claim-deliveries.ts';

/** Clocks of two gateways that are this close are both right: what one puts off, the other does not bring forward. */
export const CLOCKS_APART_MS = 5 * 60_000;

/** The most that are brought forward at once. */
export const MAX_BROUGHT_FORWARD = 1_000;

export interface BringForward {
  readonly nowMs: number;
  /** How long a claim is its process's own. */
  readonly leaseMs: number;
  /** Behind which event to begin, by its sequence: the answer of the call before, or 0. */
  readonly after: number;
}

/**
 * Whatever is due later than its lease and its rung allow gets the time that it would have if its claim, its attempt or
 * its change had come now; an attempt under way keeps its lease. Only whoever saw a clock being put back may call
 * this: by a clock that is behind, all that waits would look too late, and the ladder would be used up. Answers behind
 * which event to go on, or null when all were looked at.
 */
export async function bringDeliveriesForward(
  tx: Tx,
  { nowMs, leaseMs, after }: BringForward,
): Promise<number | null> {
  const rows = await tx.write<{ readonly sequence: number }>(BRING_FORWARD, [
    nowMs,
    leaseMs,
    CLOCKS_APART_MS,
    WAITS_MS,
    after,
    MAX_BROUGHT_FORWARD,
  ]);
  if (rows.length < MAX_BROUGHT_FORWARD) return null;
  return rows.reduce((last, { sequence }) => Math.max(last, sequence), after);
}

// An event that waits for an earlier one of its order has no rung yet, and is only put off anew by the next claim.
// What somebody holds is on its way. `+ 0` keeps the planner from a walk through all events that ever were.
const BRING_FORWARD = `
  WITH put_off AS MATERIALIZED (
    SELECT event_id, coalesce(($4::bigint[])[attempts - ladder_start], 0) AS rung_ms FROM events
    WHERE state = 'pending' AND next_attempt_at_ms > $1::bigint + $2::bigint + $3::bigint
      AND next_attempt_at_ms
        > $1::bigint + $2::bigint + $3::bigint + coalesce(($4::bigint[])[attempts - ladder_start], 0)
      AND sequence + 0 > $5::bigint
    ORDER BY sequence + 0 LIMIT $6::integer FOR NO KEY UPDATE SKIP LOCKED
  )
  UPDATE events SET
    next_attempt_at_ms = $1::bigint + rung_ms + CASE WHEN leased_until_ms IS NULL THEN 0 ELSE $2::bigint END,
    leased_until_ms = CASE WHEN leased_until_ms IS NOT NULL THEN $1::bigint + $2::bigint END
  FROM put_off
  WHERE events.event_id = put_off.event_id AND events.event_id = ANY (ARRAY(SELECT event_id FROM put_off))
  RETURNING sequence`;
