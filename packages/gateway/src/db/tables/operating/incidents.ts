// Incidents that waited for an operator: when each was seen first, and when last.
import type { Reader, Tx } from '../../postgres/tx.ts';

export interface Incident {
  readonly kind: string;
  /** The chain, the currency or the address that it is about; "" where it is about all of them. */
  readonly subject: string;
  readonly detail: string;
}

export interface PastIncident extends Incident {
  readonly firstAtMs: number;
  readonly lastAtMs: number;
}

/** Opens the incidents that are not open, and notes that all of them were seen. One is open for each kind and subject. */
export async function upsertSeenIncidents(
  tx: Tx,
  incidents: readonly Incident[],
  nowMs: number,
): Promise<void> {
  await tx.write(
    `INSERT INTO incidents AS i (kind, subject, detail, first_at_ms, last_at_ms, is_open)
     SELECT DISTINCT ON (kind, subject) kind, subject, detail, $4::bigint, $4::bigint, true
     FROM unnest($1::text[], $2::text[], $3::text[]) AS n (kind, subject, detail)
     ORDER BY kind, subject, detail
     ON CONFLICT (kind, subject) WHERE is_open
       DO UPDATE SET detail = excluded.detail, last_at_ms = greatest(i.last_at_ms, excluded.last_at_ms)`,
    [
      incidents.map(({ kind }) => kind),
      incidents.map(({ subject }) => subject),
      incidents.map(({ detail }) => detail),
      nowMs,
    ],
  );
}

/** Ends each open incident that was last seen before `sinceMs`. */
export async function endUnseenIncidents(tx: Tx, sinceMs: number): Promise<void> {
  await tx.write('UPDATE incidents SET is_open = false WHERE is_open AND last_at_ms < $1', [sinceMs]);
}

export async function deletePastIncidents(tx: Tx, beforeMs: number): Promise<void> {
  await tx.write('DELETE FROM incidents WHERE NOT is_open AND last_at_ms < $1', [beforeMs]);
}

/** The newest end first. */
export async function readPastIncidents(reader: Reader, limit: number): Promise<readonly PastIncident[]> {
  return reader.read<PastIncident>(
    `SELECT kind, subject, detail, first_at_ms AS "firstAtMs", last_at_ms AS "lastAtMs"
     FROM incidents WHERE NOT is_open ORDER BY last_at_ms DESC, incident_id DESC LIMIT $1`,
    [limit],
  );
}
