// Backups that reported their end, and restores that were tried.
import type { BackupKind } from '@ducat/core/backup/freshness';
import type { Reader, Tx } from '../../postgres/tx.ts';

export interface BackupMark {
  /** `restore` where a backup was tried on another machine. */
  readonly kind: BackupKind | 'restore';
  readonly atMs: number;
  /** Size of the backup; null if it was not reported. */
  readonly bytes: number | null;
  /** The user and the machine that reported it. */
  readonly markedBy: string;
  readonly note: string;
}

export async function insertBackupMark(tx: Tx, mark: BackupMark): Promise<void> {
  const { kind, atMs, bytes, markedBy, note } = mark;
  await tx.write(
    'INSERT INTO backup_marks (kind, at_ms, bytes, marked_by, note) VALUES ($1, $2, $3, $4, $5)',
    [kind, atMs, bytes, markedBy, note],
  );
}

const COLUMNS = 'kind, at_ms AS "atMs", bytes, marked_by AS "markedBy", note';

/** The newest first. */
export async function readBackupMarks(reader: Reader, most: number): Promise<readonly BackupMark[]> {
  return reader.read<BackupMark>(
    `SELECT ${COLUMNS} FROM backup_marks ORDER BY at_ms DESC, mark_id DESC LIMIT $1`,
    [most],
  );
}

export interface NewestMarks {
  readonly backup: BackupMark | null;
  readonly restore: BackupMark | null;
}

export async function readNewestMarks(reader: Reader): Promise<NewestMarks> {
  const newest = (kinds: string) =>
    `(SELECT ${COLUMNS} FROM backup_marks WHERE ${kinds} ORDER BY at_ms DESC, mark_id DESC LIMIT 1)`;
  const marks = await reader.read<BackupMark>(
    `${newest("kind <> 'restore'")} UNION ALL ${newest("kind = 'restore'")}`,
    [],
  );
  const find = (isRestore: boolean) => marks.find(({ kind }) => (kind === 'restore') === isRestore) ?? null;
  return { backup: find(false), restore: find(true) };
}
