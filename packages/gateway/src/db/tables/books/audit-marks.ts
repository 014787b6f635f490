// Up to where the books were audited: of the entries by number, of each chain's transfers by block.
import type { Reader, Tx } from '../../postgres/tx.ts';

export interface AuditMark {
  /** Audited up to here. */
  readonly position: number;
  /** The end of what can be audited next; equals `position` if nothing can be. */
  readonly next: number;
  /** When the mark was last written, Unix milliseconds; 0 before the first audit. */
  readonly atMs: number;
}

/** The name of the mark of a chain's transfers. */
export function transfersOf(chain: string): string {
  return `transfers/${chain}`;
}

// Entry numbers are assigned before their transactions commit, so a lower number may appear after a higher one was
// read. A transaction that books has a transaction id before it takes an entry number. So once every transaction that
// was open at the time of reading has ended, no entry can appear below the number that was read.
const MARK = `
  SELECT position, at_ms,
    CASE WHEN ahead_xid <= pg_snapshot_xmin(pg_current_snapshot()) THEN greatest(ahead, position) ELSE position END AS next
  FROM audit_marks WHERE name = $1`;

/** A mark that does not exist yet is at 0. */
export async function readAuditMark(reader: Reader, name: string): Promise<AuditMark> {
  const [row] = await reader.read<{ position: number; next: number; at_ms: number }>(MARK, [name]);
  return { position: row?.position ?? 0, next: row?.next ?? 0, atMs: row?.at_ms ?? 0 };
}

/** The position of the mark, locked until the transaction ends; null if there is no mark. */
export async function lockAuditMark(tx: Tx, name: string): Promise<number | null> {
  const rows = await tx.read<{ position: number }>(
    'SELECT position FROM audit_marks WHERE name = $1 FOR UPDATE',
    [name],
  );
  return rows[0]?.position ?? null;
}

/** Moves a mark; makes it where there is none. */
export async function moveAuditMark(tx: Tx, name: string, position: number, nowMs: number): Promise<void> {
  await tx.write(
    `INSERT INTO audit_marks (name, position, ahead, ahead_xid, at_ms)
     VALUES ($1, $2, $2, pg_snapshot_xmax(pg_current_snapshot()), $3)
     ON CONFLICT (name) DO UPDATE SET position = excluded.position, at_ms = excluded.at_ms`,
    [name, position, nowMs],
  );
}

/**
 * Notes the newest entry, which is audited once no older one can appear. An entry noted before stays until it was audited.
 * A noted transaction id that was never assigned comes from another server, by a backup, so the entry is noted again.
 */
export async function noteNewestEntry(tx: Tx, nowMs: number): Promise<void> {
  await tx.write(
    `UPDATE audit_marks SET ahead = greatest(position, (SELECT coalesce(max(entry_id), 0) FROM entries)),
       ahead_xid = pg_snapshot_xmax(pg_current_snapshot()), at_ms = $1
     WHERE name = 'entries' AND (ahead <= position OR ahead_xid > pg_snapshot_xmax(pg_current_snapshot()))`,
    [nowMs],
  );
}
