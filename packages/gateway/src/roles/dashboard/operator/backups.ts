// For operators: whether the books could be brought back, and from when.
import { archiveState, freshnessOf } from '@ducat/core/backup/freshness';
import { readBackupReport, readWalReceivers } from '../../../db/reports/backup-report.ts';
import { type BackupMark, readBackupMarks } from '../../../db/tables/operating/backup-marks.ts';
import { answer, type Handler } from '../call.ts';
import { areKeysReady } from '../setup/are-keys-ready.ts';
import { seconds, secondsOrNull } from '../texts.ts';

const MARKS_SHOWN = 20;

export const handleBackups: Handler<'backups.read'> = async ({ deps, nowMs }) => {
  const { reader, backupLimits } = deps;
  const { marks, archiver } = await readBackupReport(reader);
  const { role, receivers } = await readWalReceivers(reader);
  const newest = await readBackupMarks(reader, MARKS_SHOWN);
  const marked = (last: BackupMark | null, mostMs: number) => ({
    state: freshnessOf(last?.atMs ?? null, mostMs, nowMs),
    last: last === null ? null : presentMark(last),
    max_age_seconds: seconds(mostMs),
  });
  return answer({
    now: seconds(nowMs),
    backup: marked(marks.backup, backupLimits.backupMs),
    restore: marked(marks.restore, backupLimits.restoreMs),
    archive: {
      state: archiveState(archiver, backupLimits.archiveMs, nowMs),
      archived_at: secondsOrNull(archiver.archivedAtMs),
      archived_file: archiver.archivedFile,
      failed_at: secondsOrNull(archiver.failedAtMs),
      failed_file: archiver.failedFile,
      failures: archiver.failures,
      counted_since: secondsOrNull(archiver.sinceMs),
      max_age_seconds: seconds(backupLimits.archiveMs),
    },
    database_role: role,
    receivers:
      receivers?.map(({ name, address, state, syncState, behindBytes, behindMs }) => ({
        name,
        address,
        state,
        sync_state: syncState,
        behind_bytes: behindBytes,
        behind_ms: behindMs,
      })) ?? null,
    marks: newest.map(presentMark),
    keys_ready: await areKeysReady(deps),
  });
};

function presentMark({ kind, atMs, bytes, markedBy, note }: BackupMark) {
  return { kind, at: seconds(atMs), bytes, marked_by: markedBy, note };
}
