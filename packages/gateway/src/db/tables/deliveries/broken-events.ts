// Events whose webhooks break something: found, and put off, so that no claim and no search meets them meanwhile.
import type { Queue } from '@ducat/core/webhook/fair-share';
import type { Tx } from '../../postgres/tx.ts';

/**
 * Locks an event, or of a queue the one that a claim would take first; returns its id. Null if the event is not
 * pending, or another transaction holds it.
 */
export async function lockBroken(
  tx: Tx,
  broken: { readonly eventId: string } | { readonly first: Queue },
  nowMs: number,
): Promise<string | null> {
  const [row] =
    'eventId' in broken
      ? await tx.read<{ readonly id: string }>(
          `SELECT event_id AS id FROM events WHERE event_id = $1 AND state || '' = 'pending' FOR UPDATE SKIP LOCKED`,
          [broken.eventId],
        )
      : await tx.read<{ readonly id: string }>(
          `SELECT event_id AS id FROM events
           WHERE state = 'pending' AND app_id = $1 AND receiver = $2 AND next_attempt_at_ms <= $3
           ORDER BY next_attempt_at_ms, sequence LIMIT 1 FOR UPDATE SKIP LOCKED`,
          [broken.first.appId, broken.first.receiver, nowMs],
        );
  return row?.id ?? null;
}

/** Makes an event due no earlier than `untilMs`. A claim on it stays as it is. */
export async function putOff(tx: Tx, eventId: string, untilMs: number): Promise<void> {
  await tx.write(
    'UPDATE events SET next_attempt_at_ms = greatest(next_attempt_at_ms, $2::bigint) WHERE event_id = $1',
    [eventId, untilMs],
  );
}
