// Puts dead or delivered events back on a fresh ladder; their attempts stay on record and their numbers go on.
import { assert } from '@ducat/core/assert';
import type { Tx } from '../../db/postgres/tx.ts';

/** Which events: these, or the oldest dead ones of an app. Only dead and delivered events can be resent. */
export type ResendChoice =
  | { readonly eventIds: readonly string[] }
  | { readonly appId: string; readonly limit: number };

/** The most that one call resends; whoever has more calls again. */
export const MAX_RESENT = 1_000;

/** Makes the chosen events due now, with all attempts before them; returns the ids that were resent. */
export async function resendEvents(tx: Tx, choice: ResendChoice, nowMs: number): Promise<readonly string[]> {
  const rows =
    'eventIds' in choice
      ? await resendThese(tx, choice.eventIds, nowMs)
      : await resendDead(tx, choice.appId, choice.limit, nowMs);
  return rows.map((row) => row.event_id);
}

interface Row {
  readonly event_id: string;
}

function resendThese(tx: Tx, eventIds: readonly string[], nowMs: number): Promise<readonly Row[]> {
  assert(eventIds.length <= MAX_RESENT, `at most ${MAX_RESENT} events are resent at once`);
  return tx.write<Row>(
    `WITH chosen AS (
       SELECT event_id FROM events WHERE event_id = ANY ($2::text[]) AND state IN ('dead', 'delivered')
       ORDER BY event_id FOR UPDATE
     ) ${RESEND}`,
    [nowMs, eventIds],
  );
}

function resendDead(tx: Tx, appId: string, limit: number, nowMs: number): Promise<readonly Row[]> {
  assert(limit >= 0 && limit <= MAX_RESENT, `at most ${MAX_RESENT} events are resent at once`);
  return tx.write<Row>(
    `WITH chosen AS (
       SELECT event_id FROM events WHERE app_id = $2::text AND state = 'dead'
       ORDER BY sequence LIMIT $3::integer FOR UPDATE SKIP LOCKED
     ) ${RESEND}`,
    [nowMs, appId, limit],
  );
}

const RESEND = `
  UPDATE events SET state = 'pending', schedule_start = attempts, next_attempt_at_ms = $1::bigint, leased_until_ms = NULL
  FROM chosen WHERE events.event_id = chosen.event_id
  RETURNING events.event_id`;
