// What the audit found wrong, in words. A finding stays until a full audit finds it right.
import type { Reader, Tx } from '../../postgres/tx.ts';

export interface AuditFinding {
  readonly finding: string;
  /** Unix milliseconds. */
  readonly foundAtMs: number;
}

/** The oldest first, at most `limit`. */
export async function readAuditFindings(reader: Reader, limit: number): Promise<readonly AuditFinding[]> {
  return reader.read<AuditFinding>(
    `SELECT finding, found_at_ms AS "foundAtMs" FROM audit_findings ORDER BY found_at_ms, finding LIMIT $1`,
    [limit],
  );
}

/** Adds findings; returns the new ones. */
export async function insertAuditFindings(
  tx: Tx,
  findings: readonly string[],
  nowMs: number,
): Promise<readonly string[]> {
  if (findings.length === 0) return [];
  const rows = await tx.write<{ finding: string }>(
    `INSERT INTO audit_findings SELECT DISTINCT finding, $2::bigint FROM unnest($1::text[]) AS f (finding)
     ON CONFLICT DO NOTHING RETURNING finding`,
    [findings, nowMs],
  );
  return rows.map(({ finding }) => finding);
}

/** Deletes findings from before `beforeMs`, except these. */
export async function deleteOtherFindings(
  tx: Tx,
  findings: readonly string[],
  beforeMs: number,
): Promise<void> {
  await tx.write('DELETE FROM audit_findings WHERE finding <> ALL($1::text[]) AND found_at_ms < $2', [
    findings,
    beforeMs,
  ]);
}
