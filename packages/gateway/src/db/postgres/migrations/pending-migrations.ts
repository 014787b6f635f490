// What the next start of this build would migrate, and what that means for processes of an older build. Read-only.
import type { Reader } from '../tx.ts';
import { migrationFiles, newerBuild } from './migrate.ts';
import { type MigrationMark, migrationMarks } from './migration-marks.ts';

export interface PendingMigration extends MigrationMark {
  /** The file name without its ending. */
  readonly name: string;
}

export interface PendingMigrations {
  /** Whether no migration was applied yet, so no older process can run. */
  readonly isFirst: boolean;
  /** In their order. */
  readonly pending: readonly PendingMigration[];
}

/** Throws on a schema that a newer build has brought further. */
export async function readPendingMigrations(reader: Reader): Promise<PendingMigrations> {
  const [look] = await reader.read<{ there: boolean }>(
    `SELECT to_regclass('migrations') IS NOT NULL AS there`,
    [],
  );
  const applied =
    look?.there === true
      ? await reader.read<{ number: number; name: string }>(
          'SELECT number, name FROM migrations ORDER BY number',
          [],
        )
      : [];
  const files = await migrationFiles();
  const newer = applied.find(({ number }) => files.every((file) => file.number !== number));
  if (newer !== undefined) throw newerBuild(newer.name);
  const done = new Set(applied.map(({ number }) => number));
  const pending = files.filter(({ number }) => !done.has(number)).map(({ name }) => markedAs(name));
  return { isFirst: applied.length === 0, pending };
}

function markedAs(file: string): PendingMigration {
  const name = file.replace(/\.sql$/, '');
  const mark = migrationMarks[name];
  if (mark === undefined) throw new Error(`the migration ${name} has no mark`);
  return { name, ...mark };
}

/** One phrase: what older processes may do beside the migration. */
export function olderRunsText({ olderRuns }: MigrationMark): string {
  if (olderRuns === 'yes') return 'run on';
  return olderRuns === 'no' ? 'have to end first' : `run on; ${olderRuns.until} only once these have ended`;
}

/** One phrase: which tables the migration reads and which statements wait; empty if it reads no large table. */
export function waitsText({ reads }: MigrationMark): string {
  const tables = Object.entries(reads);
  const of = (waits: string) => tables.filter(([, one]) => one === waits).map(([table]) => table);
  const parts = [
    [of('everything'), 'reading and writing wait'],
    [of('writes'), 'writing waits'],
    [of('nothing'), 'nothing waits'],
  ] as const;
  return parts
    .filter(([names]) => names.length > 0)
    .map(([names, what]) => `reads ${names.join(', ')}: ${what}`)
    .join('; ');
}
