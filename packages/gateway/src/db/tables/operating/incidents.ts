// What waited for an operator, from its beginning to its end.
import type { Reader, Tx } from '../../postgres/tx.ts';

export interface Incident {
  readonly kind: string;
  /** The chain, the currency or the address that it is about; "" where it is about all of them. */
  readonly subject: string;
  readonly detail: string;
  readonly beganAtMs: number;
}

export interface PastIncident extends Incident {
  readonly endedAtMs: number;
}

/** Opens those that are not open yet, and keeps what is said of the others now. Of one kind and subject one is open. */
export async function upsertOpenIncidents(tx: Tx, incidents: readonly Incident[]): Promise<void> {
  await tx.write(
    `INSERT INTO incidents AS i (kind, subject, detail, began_at_ms)
     SELECT DISTINCT ON (kind, subject) kind, subject, detail, began_at_ms
     FROM unnest($1::text[], $2::text[], $3::text[], $4::bigint[]) AS n (kind, subject, detail, began_at_ms)
     ORDER BY kind, subject, began_at_ms
     ON CONFLICT (kind, subject) WHERE ended_at_ms IS NULL DO UPDATE SET detail = excluded.detail
     WHERE i.detail <> excluded.detail`,
    [
      incidents.map(({ kind }) => kind),
      incidents.map(({ subject }) => subject),
      incidents.map(({ detail }) => detail),
      incidents.map(({ beganAtMs }) => beganAtMs),
    ],
  );
}

/** Ends every open one that is not among these. */
export async function endOtherIncidents(
  tx: Tx,
  incidents: readonly Pick<Incident, 'kind' | 'subject'>[],
  nowMs: number,
): Promise<void> {
  await tx.write(
    `UPDATE incidents SET ended_at_ms = $3 WHERE ended_at_ms IS NULL
       AND (kind, subject) NOT IN (SELECT * FROM unnest($1::text[], $2::text[]))`,
    [incidents.map(({ kind }) => kind), incidents.map(({ subject }) => subject), nowMs],
  );
}

export async function deletePastIncidents(tx: Tx, beforeMs: number): Promise<void> {
  await tx.write('DELETE FROM incidents WHERE ended_at_ms < $1', [beforeMs]);
}

/** The newest end first. */
export async function readPastIncidents(reader: Reader, limit: number): Promise<readonly PastIncident[]> {
  return reader.read<PastIncident>(
    `SELECT kind, subject, detail, began_at_ms AS "beganAtMs", ended_at_ms AS "endedAtMs"
     FROM incidents WHERE ended_at_ms IS NOT NULL ORDER BY ended_at_ms DESC, incident_id DESC LIMIT $1`,
    [limit],
  );
}
