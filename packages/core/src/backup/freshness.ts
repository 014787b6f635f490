// Whether backups, restores that were tried, and the archive of the WAL are recent enough to bring the books back.

/** What a backup is: a base backup, onto which archived WAL is played, or a dump, which ends where it began. */
export type BackupKind = 'base' | 'dump';

export type Freshness = 'fresh' | 'old' | 'never';

/** How old each may be before a person has to look, in milliseconds. */
export interface BackupLimits {
  readonly backupMs: number;
  readonly restoreMs: number;
  readonly archiveMs: number;
}

export function freshnessOf(atMs: number | null, mostMs: number, nowMs: number): Freshness {
  if (atMs === null) return 'never';
  return nowMs - atMs > mostMs ? 'old' : 'fresh';
}

/** The archiver of PostgreSQL, as it counts since its statistics began. */
export interface Archiver {
  /** Whether `archive_mode` is on; a base backup that streams its WAL elsewhere needs it not. */
  readonly isOn: boolean;
  readonly archivedAtMs: number | null;
  readonly failedAtMs: number | null;
}

/** `failing`: the archiver retries the same file, so no later file is archived. */
export type ArchiveState = 'off' | 'failing' | Freshness;

export function archiveState(
  { isOn, archivedAtMs, failedAtMs }: Archiver,
  mostMs: number,
  nowMs: number,
): ArchiveState {
  if (!isOn) return 'off';
  if (failedAtMs !== null && failedAtMs > (archivedAtMs ?? 0)) return 'failing';
  return freshnessOf(archivedAtMs, mostMs, nowMs);
}
