// Whether the books could be restored: what backups reported, and what PostgreSQL knows of its WAL.
import type { Archiver } from '@ducat/core/backup/freshness';
import type { Reader } from '../postgres/tx.ts';
import { type NewestMarks, readNewestMarks } from '../tables/operating/backup-marks.ts';

export interface BackupReport {
  readonly marks: NewestMarks;
  readonly archiver: ArchiverReport;
}

export interface ArchiverReport extends Archiver {
  /** The names of WAL files; "" for none. */
  readonly archivedFile: string;
  readonly failedFile: string;
  readonly failures: number;
  /** When PostgreSQL began to count. */
  readonly sinceMs: number | null;
}

export async function readBackupReport(reader: Reader): Promise<BackupReport> {
  return { marks: await readNewestMarks(reader), archiver: await readArchiver(reader) };
}

/** Every role that may connect may read this. */
async function readArchiver(reader: Reader): Promise<ArchiverReport> {
  const ms = (column: string) => `floor(extract(epoch FROM ${column}) * 1000)::bigint`;
  const [archiver] = await reader.read<ArchiverReport>(
    `SELECT current_setting('archive_mode') <> 'off' AS "isOn", ${ms('last_archived_time')} AS "archivedAtMs",
       ${ms('last_failed_time')} AS "failedAtMs", coalesce(last_archived_wal, '') AS "archivedFile",
       coalesce(last_failed_wal, '') AS "failedFile", failed_count AS failures, ${ms('stats_reset')} AS "sinceMs"
     FROM pg_stat_archiver`,
    [],
  );
  if (archiver === undefined) throw new Error('PostgreSQL has one archiver, and showed none');
  return archiver;
}

/** A receiver of the WAL as it is written: a standby, or an archive that streams. */
export interface WalReceiver {
  readonly name: string;
  /** "" if it is on the same machine. */
  readonly address: string;
  /** The words of PostgreSQL: `streaming`, and `async`, `sync`, `quorum` or `potential`. */
  readonly state: string;
  readonly syncState: string;
  /** How much WAL is not on the receiver's disk yet; null while that is not known. */
  readonly behindBytes: number | null;
  /** How long written WAL took to reach its disk; null if nothing was written lately. */
  readonly behindMs: number | null;
}

export interface WalReceivers {
  /** The role that the gateway has in the database. */
  readonly role: string;
  /** Null if PostgreSQL does not show them to that role. */
  readonly receivers: readonly WalReceiver[] | null;
}

/** Without `pg_read_all_stats`, which `pg_monitor` holds, PostgreSQL leaves every column empty. */
export async function readWalReceivers(reader: Reader): Promise<WalReceivers> {
  const [right] = await reader.read<{ readonly role: string; readonly isShown: boolean }>(
    `SELECT current_user::text AS role, pg_has_role(current_user, 'pg_read_all_stats', 'USAGE') AS "isShown"`,
    [],
  );
  const { role = '', isShown = false } = right ?? {};
  if (!isShown) return { role, receivers: null };
  const receivers = await reader.read<WalReceiver>(
    `SELECT application_name AS name, coalesce(host(client_addr), '') AS address, state, sync_state AS "syncState",
       greatest(0, pg_wal_lsn_diff(pg_current_wal_lsn(), flush_lsn))::bigint AS "behindBytes",
       floor(extract(epoch FROM flush_lag) * 1000)::bigint AS "behindMs"
     FROM pg_stat_replication WHERE state IS NOT NULL ORDER BY application_name, pid LIMIT 100`,
    [],
  );
  return { role, receivers };
}
