// Settings of the database that could lose an acknowledged payment are named; good ones are not.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RunningPostgres, startPostgres } from '@ducat/devnet/postgres/postgres';
import { waitUntil } from '@ducat/devnet/process/wait-until';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import type { DatabaseNotice } from './primary-changes.ts';
import { type Database, openDatabase } from './tx.ts';

let folder: string;
let alone: RunningPostgres;
let withStandby: RunningPostgres;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'ducat-durability-'));
  const settings = { synchronous_standby_names: 'ANY 1 (*)' };
  [alone, withStandby] = await Promise.all([
    startPostgres({ dataDir: join(folder, 'alone') }),
    startPostgres({ dataDir: join(folder, 'with-standby'), settings }),
  ]);
});
afterAll(async () => {
  await alone?.kill();
  await withStandby?.kill();
  rmSync(folder, { recursive: true, force: true });
});

let opened: Database[];
let notices: DatabaseNotice[];

beforeEach(() => {
  [opened, notices] = [[], []];
});
afterEach(() => Promise.all(opened.map((database) => database.close())));

function open(url: string): Database {
  const database = openDatabase(url, 1, (notice) => notices.push(notice));
  opened.push(database);
  return database;
}

/** What is said of the server, named so often in the address. */
async function gapsOf(url: string, hosts: number): Promise<readonly string[]> {
  const { host } = new URL(url);
  notices = [];
  await open(url.replace(host, Array.from({ length: hosts }, () => host).join())).reader.read('SELECT 1', []);
  return gapsReported();
}

function gapsReported(): readonly string[] {
  return notices.flatMap(({ fields }) => ('gap' in fields ? [String(fields.gap)] : []));
}

const local = ({ url }: RunningPostgres) => `${url}?options=-c%20synchronous_commit%3Dlocal`;

describe('what a connection finds out about durability', () => {
  it('finds what trades durability for speed', async () => {
    const gaps = await gapsOf(inject('postgresAdminUrl'), 1);
    expect(gaps.map((gap) => gap.split(' ', 1)[0])).toEqual([
      'fsync',
      'full_page_writes',
      'synchronous_commit',
    ]);
  });

  it('finds nothing with the defaults of one host, nor with a synchronous standby', async () => {
    expect(await gapsOf(alone.url, 1)).toEqual([]);
    expect(await gapsOf(local(alone), 1)).toEqual([]);
    expect(await gapsOf(withStandby.url, 2)).toEqual([]);
  });

  it('finds a failover that loses what was reported', async () => {
    expect(await gapsOf(alone.url, 2)).toEqual([expect.stringMatching(/synchronous_standby_names is empty/)]);
    expect(await gapsOf(local(withStandby), 2)).toEqual([
      expect.stringMatching(/synchronous_commit is local/),
    ]);
  });

  it('is reported again when it has changed, by the next connection', async () => {
    const { username, password, host } = new URL(alone.url);
    const database = open(`postgres://${username}:${password}@${host},${host}/postgres`);
    await database.reader.read('SELECT 1', []);
    await database.reader.read('SELECT 1', []);
    expect(gapsReported()).toEqual([expect.stringMatching(/synchronous_standby_names is empty/)]);
    await nameStandbys("'ANY 1 (*)'", 'ANY 1 (*)');
    // The other was asked when it was opened; this one is opened beside it.
    await database.apart.reader.read('SELECT 1', []);
    expect(notices.at(-1)?.message).toBe('weak database no more');
    await nameStandbys('DEFAULT', '');
  });
});

async function nameStandbys(value: string, expected: string): Promise<void> {
  const client = new pg.Client({ connectionString: alone.url });
  await client.connect();
  await client.query(`ALTER SYSTEM SET synchronous_standby_names = ${value}`);
  await client.query('SELECT pg_reload_conf()');
  await waitUntil('the setting to hold', async () => {
    const now = "SELECT current_setting('synchronous_standby_names') AS now";
    const { rows } = await client.query<{ now: string }>(now);
    return rows[0]?.now === expected;
  });
  await client.end();
}
