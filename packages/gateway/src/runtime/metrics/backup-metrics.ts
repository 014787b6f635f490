// Ages of backups, of tried restores and of the archive of the WAL, taken at each scrape.
import type { Registry } from 'prom-client';
import type { BackupReport } from '../../db/reports/backup-report.ts';
import { gauge } from './metric-kinds.ts';

/** Shows a report. Null means that the database gave none; then nothing is shown. */
export type ShowBackups = (report: BackupReport | null, nowMs: number) => void;

export function backupMetrics(registry: Registry): ShowBackups {
  const age = gauge(
    registry,
    'ducat_backup_age_seconds',
    'Time since the last backup, restore that was tried, or archived WAL; infinite where there was none',
    ['what'],
  );
  return (report, nowMs) => {
    age.reset();
    if (report === null) return;
    const { marks, archiver } = report;
    const show = (what: string, atMs: number | null) =>
      age.set({ what }, atMs === null ? Infinity : Math.max(0, (nowMs - atMs) / 1000));
    show('backup', marks.backup?.atMs ?? null);
    show('restore', marks.restore?.atMs ?? null);
    if (archiver.isOn) show('wal', archiver.archivedAtMs);
  };
}
