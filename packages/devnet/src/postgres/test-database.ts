// One throw-away PostgreSQL for a whole test run, and cheap copies of a prepared database in it.
import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import pg from 'pg';
import { liveOwner } from '../process/folder-claim.ts';
import { startPostgres, volatileSettings } from './postgres.ts';
import { findPostgresBinaries } from './binaries.ts';
import { endOrphanPostgres } from './orphan.ts';

const folderPrefix = 'ducat-test-postgres-';
/** Where Linux keeps files in memory. */
const memoryFolder = '/dev/shm';
/** The cluster of the whole suite takes a tenth of this. */
const ROOM_BYTES = 4 * 2 ** 30;

/**
 * Starts an empty cluster without fsync, in memory where the machine has room, else in the temporary folder. Meant for a
 * global setup of the test runner: every worker reaches it through `adminUrl`. `stop` also deletes the data.
 */
export async function startTestPostgres(): Promise<{ adminUrl: string; pid: number; stop(): Promise<void> }> {
  await sweepAbandonedClusters();
  const folder = makeFolder();
  // The server may run as another user, which has to pass through this folder.
  chmodSync(folder, 0o711);
  const server = await startPostgres({ dataDir: join(folder, 'data'), settings: volatileSettings });
  return {
    adminUrl: server.url,
    pid: server.pid,
    stop: async () => {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/**
 * Makes the database `name` once, however many workers ask for it at the same time, and fills it with `prepare`.
 * `prepare` gets the URL of the database and has to close its connections. Names are plain identifiers.
 */
export async function createTemplate(
  adminUrl: string,
  name: string,
  prepare: (url: string) => Promise<void>,
): Promise<void> {
  await withAdmin(adminUrl, async (admin) => {
    await admin.query('select pg_advisory_lock(hashtextextended($1, 0))', [name]);
    const found = await admin.query('select 1 from pg_database where datname = $1', [name]);
    if (found.rowCount !== 0) return;
    // A preparation that failed half way leaves only this name, which is never cloned.
    const unfinished = `${name}_unfinished`;
    await admin.query(`drop database if exists ${quote(unfinished)} with (force)`);
    await admin.query(`create database ${quote(unfinished)}`);
    await prepare(withDatabase(adminUrl, unfinished));
    await admin.query(`alter database ${quote(unfinished)} with allow_connections false`);
    // The server ends a closed connection only after a moment.
    await admin.query('select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = $1', [
      unfinished,
    ]);
    await admin.query(`alter database ${quote(unfinished)} rename to ${quote(name)}`);
  });
}

/** Copies a template into a fresh database. `drop` ends the connections that are still open. */
export async function cloneDatabase(
  adminUrl: string,
  templateName: string,
): Promise<{ url: string; name: string; drop(): Promise<void> }> {
  const name = `${templateName.slice(0, 40)}_${randomBytes(6).toString('hex')}`;
  await withAdmin(adminUrl, (admin) =>
    admin.query(`create database ${quote(name)} template ${quote(templateName)} strategy file_copy`),
  );
  return {
    url: withDatabase(adminUrl, name),
    name,
    drop: () =>
      withAdmin(adminUrl, async (admin) => {
        await admin.query(`drop database if exists ${quote(name)} with (force)`);
      }),
  };
}

async function withAdmin<Result>(
  adminUrl: string,
  work: (admin: pg.Client) => Promise<Result>,
): Promise<Result> {
  const admin = new pg.Client({ connectionString: adminUrl });
  await admin.connect();
  try {
    return await work(admin);
  } finally {
    await admin.end();
  }
}

function withDatabase(adminUrl: string, name: string): string {
  const url = new URL(adminUrl);
  url.pathname = `/${name}`;
  return url.href;
}

function quote(identifier: string): string {
  return pg.escapeIdentifier(identifier);
}

/**
 * A copy of the template is more than a thousand files. In memory it takes 15 ms, on a virtual disk up to 150, and a run of
 * the suite makes hundreds of copies.
 */
function makeFolder(): string {
  try {
    const { bavail, bsize } = statfsSync(memoryFolder);
    const hasRoom = Math.min(bavail * bsize, process.availableMemory()) >= ROOM_BYTES;
    if (hasRoom) return mkdtempSync(join(memoryFolder, folderPrefix));
  } catch {
    // Other systems have no such folder, and it may be closed to this user.
  }
  return mkdtempSync(join(tmpdir(), folderPrefix));
}

function foldersIn(place: string): readonly string[] {
  try {
    return readdirSync(place).map((name) => join(place, name));
  } catch {
    return [];
  }
}

/** Removes clusters whose test run was killed, at most twenty at a time. */
async function sweepAbandonedClusters(): Promise<void> {
  const folders = [memoryFolder, tmpdir()].flatMap(foldersIn);
  const clusters = folders.filter((folder) => basename(folder).startsWith(folderPrefix));
  for (const folder of clusters.slice(0, 20)) {
    const dataDir = join(folder, 'data');
    // A run without a claim is only just beginning, or already ending.
    if (!existsSync(`${dataDir}.claim`) || liveOwner(`${dataDir}.claim`) !== undefined) continue;
    await endOrphanPostgres(findPostgresBinaries(), dataDir);
    rmSync(folder, { recursive: true, force: true });
  }
}
