// Every attempt to deliver some events, wherever they are kept.
import type { Reader } from '../../postgres/tx.ts';
import { type AttemptRecord } from '../../tables/deliveries/event-lists.ts';

/** The most attempts of all these events together; the highest attempt numbers are shown. */
const MAX_ATTEMPTS = 1_000;

/** The attempts by event, the newest first. */
export async function readAttemptsOf(
  reader: Reader,
  eventIds: readonly string[],
): Promise<ReadonlyMap<string, readonly AttemptRecord[]>> {
  if (eventIds.length === 0) return new Map();
  const attempts = (table: string) => `
    SELECT event_id AS "eventId", attempt, started_at_ms AS "startedAtMs", duration_ms AS "durationMs",
      http_status AS "httpStatus", outcome
    FROM ${table} WHERE event_id = ANY ($1::text[])`;
  const rows = await reader.read<AttemptRecord>(
    `${attempts('delivery_attempts')} UNION ALL ${attempts('archived_delivery_attempts')}
     ORDER BY attempt DESC LIMIT ${MAX_ATTEMPTS}`,
    [eventIds],
  );
  const byEvent = new Map<string, AttemptRecord[]>(eventIds.map((id) => [id, []]));
  for (const row of rows) byEvent.get(row.eventId)?.push(row);
  return byEvent;
}
