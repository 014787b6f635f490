// Starts a PostgreSQL standby of a running server, synchronous if asked to, which can be promoted in its place.
import { copyFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import pg from 'pg';
import type { PostgresSettings, RunningPostgres } from './postgres.ts';
import { startPostgres } from './postgres.ts';
import { waitUntil } from '../process/wait-until.ts';

/** A server that follows a primary until it is promoted. */
export interface StandbyPostgres extends RunningPostgres {
  /**
   * Makes it a primary; returns once it takes writes. The old primary must be gone, because nothing here fences it off.
   */
  promote(): Promise<void>;
}

/**
 * Settings for both servers of a pair, which stay the same when the roles change. No COMMIT is answered before a
 * standby has it on disk. A server alone therefore answers no COMMIT at all until the next standby follows, also after
 * it was promoted.
 */
export const synchronousSettings: PostgresSettings = {
  synchronous_commit: 'on',
  synchronous_standby_names: 'FIRST 1 (*)',
  // Keeps the WAL that is written between the copy of the files and the start of the stream.
  wal_keep_size: '512MB',
  wal_receiver_status_interval: 1,
};

/**
 * Copies the cluster of a running server and starts it as a standby in `dataDir`, which must not exist yet. Returns
 * once the standby has everything that the primary had when the copy was done. The settings have to be those of the
 * primary. `streamPort`, where given, is the port that the standby follows: that of a proxy in front of the primary,
 * which can hold the stream.
 */
export async function startStandby(options: {
  primary: RunningPostgres;
  dataDir: string;
  settings?: PostgresSettings;
  port?: number;
  streamPort?: number;
}): Promise<StandbyPostgres> {
  const { primary, streamPort = primary.port, ...start } = options;
  await copyCluster(primary, start.dataDir, streamPort);
  const server = await startPostgres(start);
  try {
    await untilStreaming(primary, server);
    return { ...server, promote: () => promote(server) };
  } catch (error) {
    await server.kill();
    throw error;
  }
}

/** An address of several servers. The client uses the one that takes writes. */
export function urlOfHosts(servers: readonly RunningPostgres[], database = 'postgres'): string {
  const [first] = servers;
  if (first === undefined) throw new Error('an address needs at least one server');
  const { username, password } = new URL(first.url);
  const hosts = servers.map(({ port }) => `127.0.0.1:${port}`).join(',');
  return `postgres://${username}:${password}@${hosts}/${database}`;
}

/** The embedded package has no pg_basebackup, so the documented calls that it would make are made here. */
async function copyCluster(primary: RunningPostgres, dataDir: string, streamPort: number): Promise<void> {
  await mkdir(dirname(dataDir), { recursive: true });
  await mkdir(dataDir, { mode: 0o700 });
  const label = await withClient(primary.url, async (client) => {
    await client.query("SELECT pg_backup_start('standby', true)");
    await copyFolder(primary.dataDir, dataDir, '');
    const stopped = await client.query<{ labelfile: string }>('SELECT labelfile FROM pg_backup_stop(false)');
    return stopped.rows[0]?.labelfile ?? '';
  });
  await writeFile(join(dataDir, 'backup_label'), label, { mode: 0o600 });
  await writeFile(join(dataDir, 'standby.signal'), '', { mode: 0o600 });
  const password = decodeURIComponent(new URL(primary.url).password);
  const follow = `host=127.0.0.1 port=${streamPort} user=postgres password=${password} application_name=${nameOf(dataDir)}`;
  // Not passed as an argument, because everybody on this machine can read arguments. The last line of a setting takes
  // precedence.
  const auto = join(dataDir, 'postgresql.auto.conf');
  await writeFile(auto, `${await readFile(auto, 'utf8')}primary_conninfo = '${follow}'\n`, { mode: 0o600 });
  await writeFile(`${dataDir}.password`, `${password}\n`, { mode: 0o600 });
}

/** Folders whose content belongs to the running server alone. The standby needs them empty. */
const ownContent = new Set(
  'pg_wal,pg_replslot,pg_dynshmem,pg_notify,pg_serial,pg_snapshots,pg_stat_tmp,pg_subtrans'.split(','),
);
const ownFiles = /^(postmaster\.(pid|opts)|backup_label.*|standby\.signal|pg_internal\.init.*|pgsql_tmp.*)$/;

async function copyFolder(from: string, to: string, inside: string): Promise<void> {
  for (const entry of await readdir(join(from, inside), { withFileTypes: true })) {
    const path = join(inside, entry.name);
    if (ownFiles.test(entry.name)) continue;
    if (entry.isDirectory()) {
      await mkdir(join(to, path), { mode: 0o700 });
      if (path === 'pg_wal') await mkdir(join(to, path, 'archive_status'), { mode: 0o700 });
      if (!ownContent.has(path)) await copyFolder(from, to, path);
    } else await copyLiveFile(join(from, path), join(to, path));
  }
}

/** A file may change or vanish during the copy, because the standby replays everything written since the backup began. */
async function copyLiveFile(from: string, to: string): Promise<void> {
  try {
    await copyFile(from, to);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
    await rm(to, { force: true });
  }
}

/** Waits until the standby has on disk everything that the primary has written by now. */
async function untilStreaming(primary: RunningPostgres, standby: RunningPostgres): Promise<void> {
  await withClient(primary.url, async (client) => {
    const written = await client.query<{ at: string }>('SELECT pg_current_wal_flush_lsn()::text AS at');
    const caughtUp = async () => {
      const rows = await client.query(
        "SELECT FROM pg_stat_replication WHERE state = 'streaming' AND application_name = $1 AND flush_lsn >= $2::pg_lsn",
        [nameOf(standby.dataDir), written.rows[0]?.at],
      );
      return rows.rowCount !== 0;
    };
    await waitUntil(`the standby ${standby.pid} to follow`, caughtUp, { timeoutMs: 60_000 });
  });
}

/** A name that distinguishes the standbys of one primary, so that the next one is not taken for one that died silently. */
function nameOf(dataDir: string): string {
  return basename(dataDir).replaceAll(/[^a-z0-9-]/gi, '-');
}

async function promote(server: RunningPostgres): Promise<void> {
  await withClient(server.url, async (client) => {
    const done = await client.query<{ done: boolean }>('SELECT pg_promote(true, 60) AS done');
    if (done.rows[0]?.done !== true) throw new Error('the standby was not promoted within a minute');
  });
}

async function withClient<Result>(
  url: string,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  // Where the server dies during the work, the next statement fails and reports it.
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
