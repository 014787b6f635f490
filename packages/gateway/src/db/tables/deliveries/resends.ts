// Finished events put back on a fresh retry schedule. Their attempts stay on record, and their numbers go on.
import type { Tx } from '../../postgres/tx.ts';

interface Row {
  readonly event_id: string;
}

/** Makes the dead and delivered ones of these events due now. Returns their ids. */
export async function resendNamed(
  tx: Tx,
  eventIds: readonly string[],
  nowMs: number,
): Promise<readonly string[]> {
  const rows = await tx.write<Row>(
    `WITH chosen AS (
       SELECT event_id FROM events WHERE event_id = ANY ($2::text[]) AND state IN ('dead', 'delivered')
       ORDER BY event_id FOR UPDATE
     ) ${RESEND}`,
    [nowMs, eventIds],
  );
  return idsOf(rows);
}

/** Makes the oldest dead events of an app due now. Returns their ids. */
export async function resendDead(
  tx: Tx,
  appId: string,
  limit: number,
  nowMs: number,
): Promise<readonly string[]> {
  const rows = await tx.write<Row>(
    `WITH chosen AS (
       SELECT event_id FROM events WHERE app_id = $2::text AND state = 'dead'
       ORDER BY event_id LIMIT $3::integer FOR UPDATE SKIP LOCKED
     ) ${RESEND}`,
    [nowMs, appId, limit],
  );
  return idsOf(rows);
}

const RESEND = `
  UPDATE events SET state = 'pending', schedule_start = attempts, next_attempt_at_ms = $1::bigint, leased_until_ms = NULL
  FROM chosen WHERE events.event_id = chosen.event_id
  RETURNING events.event_id`;

function idsOf(rows: readonly Row[]): readonly string[] {
  return rows.map((row) => row.event_id);
}
