// The archive of events: where finished ones go when they are old, and come back from when they are resent.
import type { Tx } from '../../postgres/tx.ts';

const COLUMNS = `event_id, sequence, app_id, trade_no, type, status, final, body, url, receiver, state, attempts,
  schedule_start, created_at_ms`;
const ATTEMPT_COLUMNS = 'event_id, attempt, started_at_ms, duration_ms, http_status, outcome';

/**
 * Moves the oldest finished events below an id to the archive, with their attempts, at most `limit`; returns how many.
 * An event stays while another of its subject is unfinished, so that those of one subject are in one place until all are
 * done. Events that another transaction holds are left for the next time.
 */
export async function archiveEvents(tx: Tx, below: string, limit: number): Promise<number> {
  const rows = await tx.write<{ moved: number }>(ARCHIVE, [below, limit]);
  return rows[0]?.moved ?? 0;
}

// Ids are time-ordered, so the oldest stand first in the primary key; there are never many that are unfinished.
const ARCHIVE = `
  WITH chosen AS MATERIALIZED (
    SELECT event_id FROM events
    WHERE event_id < $1::text AND state <> 'pending' AND NOT EXISTS (
      SELECT FROM events AS other WHERE other.trade_no = events.trade_no AND other.state || '' = 'pending'
    )
    ORDER BY event_id LIMIT $2::integer FOR UPDATE SKIP LOCKED
  ), attempts AS (
    DELETE FROM delivery_attempts WHERE event_id = ANY (ARRAY(SELECT event_id FROM chosen)) RETURNING ${ATTEMPT_COLUMNS}
  ), kept_attempts AS (
    INSERT INTO archived_delivery_attempts (${ATTEMPT_COLUMNS}) SELECT * FROM attempts
  ), moved AS (
    DELETE FROM events WHERE event_id = ANY (ARRAY(SELECT event_id FROM chosen)) RETURNING ${COLUMNS}
  ), kept AS (
    INSERT INTO archived_events (${COLUMNS}) SELECT * FROM moved
  )
  SELECT count(*) AS moved FROM moved`;

/** Takes these events back from the archive, finished as they are. Events that were never sent stay there. */
export async function restoreNamed(tx: Tx, eventIds: readonly string[]): Promise<void> {
  await tx.write(
    `WITH chosen AS MATERIALIZED (
       SELECT event_id FROM archived_events WHERE event_id = ANY ($1::text[]) AND state <> 'unsent' FOR UPDATE
     ), ${RESTORE}`,
    [eventIds],
  );
}

/** Takes the oldest dead events of an app back from the archive, at most `limit`. */
export async function restoreDead(tx: Tx, appId: string, limit: number): Promise<void> {
  await tx.write(
    `WITH chosen AS MATERIALIZED (
       SELECT event_id FROM archived_events WHERE app_id = $1 AND state = 'dead'
       ORDER BY event_id LIMIT $2::integer FOR UPDATE SKIP LOCKED
     ), ${RESTORE}`,
    [appId, limit],
  );
}

const RESTORE = `attempts AS (
    DELETE FROM archived_delivery_attempts WHERE event_id = ANY (ARRAY(SELECT event_id FROM chosen))
    RETURNING ${ATTEMPT_COLUMNS}
  ), restored_attempts AS (
    INSERT INTO delivery_attempts (${ATTEMPT_COLUMNS}) SELECT * FROM attempts
  ), restored AS (
    DELETE FROM archived_events WHERE event_id = ANY (ARRAY(SELECT event_id FROM chosen)) RETURNING ${COLUMNS}
  )
  INSERT INTO events (${COLUMNS}) OVERRIDING SYSTEM VALUE SELECT * FROM restored`;
