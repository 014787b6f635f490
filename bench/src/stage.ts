// The base of all benches: one durable PostgreSQL, databases in it, and a folder that is removed at the end.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type PostgresSettings, type RunningPostgres, startPostgres } from '@ducat/devnet/postgres/postgres';
import { migrate } from '@ducat/gateway/db/postgres/migrations/migrate';
import { openDatabase } from '@ducat/gateway/db/postgres/tx';
import pg from 'pg';

/**
 * fsync and synchronous_commit stay on, as they must where money is. The rest is what an operator of a small machine
 * would set. It also keeps a checkpoint from falling into only one half of a pair.
 */
const settings: PostgresSettings = {
  shared_buffers: '512MB',
  max_wal_size: '8GB',
  checkpoint_timeout: '30min',
  max_connections: 100,
};

/** Not durable, because made rows can be made again. The server is restarted with durability before anything is measured. */
const fillSettings: PostgresSettings = {
  ...settings,
  fsync: 'off',
  wal_level: 'minimal',
  max_wal_senders: 0,
  autovacuum: 'off',
  maintenance_work_mem: '1GB',
};

export interface Stage {
  readonly folder: string;
  /** Creates an empty database of this name, with the schema. Returns its URL. */
  createDatabase(name: string): Promise<string>;
  /** The current URL of a database that was created before. The port changes when the server is restarted. */
  urlOf(name: string): string;
  /** Runs work on a server that is set for filling, and starts the durable one again. */
  whileFilling(work: () => Promise<void>): Promise<void>;
  close(): Promise<void>;
}

export async function openStage(): Promise<Stage> {
  const folder = mkdtempSync(join(tmpdir(), 'ducat-bench-'));
  // PostgreSQL may run as another user, who has to be able to traverse this folder.
  chmodSync(folder, 0o711);
  const dataDir = join(folder, 'data');
  let server: RunningPostgres = await startPostgres({ dataDir, settings });
  const urlOf = (name: string) => {
    const url = new URL(server.url);
    url.pathname = `/${name}`;
    return url.href;
  };
  const restart = async (next: PostgresSettings) => {
    await server.stop();
    server = await startPostgres({ dataDir, settings: next });
  };
  return {
    folder,
    urlOf,
    createDatabase: async (name) => {
      await runSql(server.url, `CREATE DATABASE ${pg.escapeIdentifier(name)}`);
      const database = openDatabase(urlOf(name), 1);
      await migrate(database, Date.now());
      await database.close();
      return urlOf(name);
    },
    whileFilling: async (work) => {
      await restart(fillSettings);
      await work();
      await restart(settings);
    },
    close: async () => {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Runs one statement, or several without parameters, on a new connection. */
async function runSql(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
