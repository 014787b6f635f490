// Brings a database to the newest schema, one migration a transaction, safe when two processes start together.
import { readdir, readFile } from 'node:fs/promises';
import { Outage } from '../../../runtime/outage.ts';
import { packageFolder } from '../../../runtime/package-folder.ts';
import { versionTrouble } from '../server-version.ts';
import type { Database } from '../tx.ts';

const directory = new URL('migrations/', packageFolder);
const FILE_NAME = /^(\d{4})_[a-z0-9_]+\.sql$/;
/** An arbitrary number that only migrations of Ducat lock on. */
export const MIGRATION_LOCK = 7_382_241;

/**
 * Applies the missing migrations, in order; returns the numbers of those applied. Waits without a limit while another
 * process migrates. Throws on a server that is too old, and while a table is being partitioned. Throws on a schema of a
 * newer build too, because what this build writes may be wrong there.
 */
export async function migrate(database: Database, nowMs: number): Promise<readonly number[]> {
  const files = await migrationFiles();
  const known = files.map(({ number }) => number);
  const [server] = await database.reader.read<{ number: number }>(
    `SELECT current_setting('server_version_num')::integer AS number`,
    [],
  );
  const tooOld = versionTrouble(server?.number ?? 0);
  if (tooOld !== null) throw new Outage(tooOld, { retryable: false });
  await database.transact(async (tx) => {
    await tx.read('SELECT pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
    await tx.write(
      'CREATE TABLE IF NOT EXISTS migrations (number integer PRIMARY KEY, name text NOT NULL, applied_at_ms bigint NOT NULL)',
      [],
    );
    const [newer] = await tx.read<{ name: string }>(
      'SELECT name FROM migrations WHERE number <> ALL($1) ORDER BY number LIMIT 1',
      [known],
    );
    if (newer === undefined) return;
    throw newerBuild(newer.name);
  }, 'unhurried');
  const applied: number[] = [];
  for (const file of files) {
    if (await apply(database, file, nowMs)) applied.push(file.number);
  }
  const [copying] = await database.reader.read<{ table_name: string }>(
    'SELECT table_name FROM partitioning LIMIT 1',
    [],
  );
  if (copying === undefined) return applied;
  throw new Error(
    `the table ${copying.table_name} is being partitioned: run ducat database partition --apply to its end`,
  );
}

/** The error for a database with a migration that this build does not know; `name` is the migration's. */
export function newerBuild(name: string): Error {
  return new Error(`the database was migrated by a newer build (${name}): start that one or a newer one`);
}

interface MigrationFile {
  readonly number: number;
  readonly name: string;
}

/** The migrations this build knows, lowest first. */
export async function migrationFiles(): Promise<readonly MigrationFile[]> {
  const names = (await readdir(directory)).filter((name) => FILE_NAME.test(name)).sort();
  return names.map((name) => ({ number: Number(name.slice(0, 4)), name }));
}

async function apply(database: Database, file: MigrationFile, nowMs: number): Promise<boolean> {
  const sql = await readFile(new URL(file.name, directory), 'utf8');
  return database.transact(async (tx) => {
    await tx.read('SELECT pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
    const done = await tx.read('SELECT 1 FROM migrations WHERE number = $1', [file.number]);
    if (done.length > 0) return false;
    await tx.write(sql, []);
    await tx.write('INSERT INTO migrations (number, name, applied_at_ms) VALUES ($1, $2, $3)', [
      file.number,
      file.name,
      nowMs,
    ]);
    return true;
  }, 'unhurried');
}
