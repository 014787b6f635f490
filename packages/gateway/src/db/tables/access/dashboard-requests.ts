// What each click of a person on the dashboard made, by the request id that the page gave the click.
import type { Reader, Tx } from '../../postgres/tx.ts';

export interface DashboardRequest {
  readonly personId: string;
  readonly requestId: string;
  readonly operation: string;
  /** The content of the request as text, which differs if anything else was asked for. */
  readonly content: string;
  /** What the request made. */
  readonly subject: string;
}

/** Whether the request id was free. Waits for another transaction that inserts the same id. */
export async function insertRequest(tx: Tx, request: DashboardRequest, nowMs: number): Promise<boolean> {
  const { personId, requestId, operation, content, subject } = request;
  const rows = await tx.write(
    `INSERT INTO dashboard_requests (person_id, request_id, operation, content, subject, made_at_ms)
     VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING RETURNING 1`,
    [personId, requestId, operation, content, subject, nowMs],
  );
  return rows.length > 0;
}

type Named = Pick<DashboardRequest, 'personId' | 'requestId'>;

export async function readRequest(
  reader: Reader,
  { personId, requestId }: Named,
): Promise<Pick<DashboardRequest, 'operation' | 'content' | 'subject'> | null> {
  const [row] = await reader.read<Pick<DashboardRequest, 'operation' | 'content' | 'subject'>>(
    'SELECT operation, content, subject FROM dashboard_requests WHERE person_id = $1 AND request_id = $2',
    [personId, requestId],
  );
  return row ?? null;
}

export async function deleteRequest(tx: Tx, { personId, requestId }: Named): Promise<void> {
  await tx.write('DELETE FROM dashboard_requests WHERE person_id = $1 AND request_id = $2', [
    personId,
    requestId,
  ]);
}

export async function deleteOldRequests(tx: Tx, personId: string, beforeMs: number): Promise<void> {
  await tx.write('DELETE FROM dashboard_requests WHERE person_id = $1 AND made_at_ms < $2', [
    personId,
    beforeMs,
  ]);
}
