// A primary killed under load loses no acknowledged COMMIT; what is lost where COMMITs do not wait for its standby.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import pg from 'pg';
import type { RunningPostgres } from './postgres.ts';
import { startPostgres } from './postgres.ts';
import { startStandby, synchronousSettings, urlOfHosts } from './standby.ts';
import { startTcpProxy } from '../net/tcp-proxy.ts';
import { waitUntil } from '../process/wait-until.ts';

const settings = synchronousSettings;
const asynchronous = { ...settings, synchronous_standby_names: '' };
/** Selects the COMMITs that wait for the standby. */
const WAITING = "select from pg_stat_activity where wait_event = 'SyncRep'";
let base: string;
let running: RunningPostgres[];

beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'ducat-standby-test-'));
  running = [];
});
afterEach(async () => {
  for (const server of running) await server.kill();
  rmSync(base, { recursive: true, force: true });
});

it('a promoted standby has every row whose COMMIT the killed primary answered', {
  timeout: 120_000,
}, async () => {
  let primary = await startPostgres({ dataDir: join(base, 'first'), settings });
  running.push(primary);
  const acknowledged: number[] = [];
  for (const name of ['second', 'third']) {
    const standby = await startStandby({ primary, dataDir: join(base, name), settings });
    running.push(standby);
    expect(urlOfHosts([primary, standby])).toMatch(/@127\.0\.0\.1:\d+,127\.0\.0\.1:\d+\/postgres$/);
    const before = acknowledged.length;
    const writer = write(primary.url, acknowledged);
    await waitUntil('rows to be acknowledged', () => acknowledged.length > before + 50);
    await primary.kill();
    await writer;
    await standby.promote();
    primary = standby;
    const rows = await query(primary.url, 'select n from note');
    const there = new Set(rows.map((row) => row['n']));
    expect(acknowledged.filter((n) => !there.has(n))).toEqual([]);
  }
});

it.each([
  ['waited for its standby loses nothing', settings, aCommitWaits],
  ['did not wait for its standby loses some', asynchronous, fiveMoreAreAcknowledged],
] as const)(
  'a primary that %s of what it answered while its stream was held',
  { timeout: 120_000 },
  async (_, own, isAtStake) => {
    const primary = await startPostgres({ dataDir: join(base, 'first'), settings: own });
    running.push(primary);
    const stream = await startTcpProxy({ host: '127.0.0.1', port: primary.port });
    try {
      const follow = { primary, dataDir: join(base, 'second'), settings: own, streamPort: stream.port };
      const standby = await startStandby(follow);
      running.push(standby);
      const acknowledged: number[] = [];
      const writer = write(primary.url, acknowledged);
      await waitUntil('rows to be acknowledged', () => acknowledged.length > 50);
      stream.setTrouble({ hold: true });
      const before = acknowledged.length;
      await waitUntil('something to be at stake', () => isAtStake(primary, acknowledged.length - before));
      await primary.kill();
      stream.cut();
      await writer;
      await standby.promote();
      const there = new Set((await query(standby.url, 'select n from note')).map((row) => row['n']));
      const lost = acknowledged.filter((n) => !there.has(n));
      if (own === settings) expect(lost).toEqual([]);
      else expect(lost.length).toBeGreaterThanOrEqual(5);
    } finally {
      await stream.stop();
    }
  },
);

async function aCommitWaits(primary: RunningPostgres): Promise<boolean> {
  return (await query(primary.url, WAITING)).length > 0;
}

function fiveMoreAreAcknowledged(_: RunningPostgres, more: number): Promise<boolean> {
  return Promise.resolve(more >= 5);
}

it('a primary whose standby is gone answers no COMMIT until the next one follows', {
  timeout: 60_000,
}, async () => {
  const primary = await startPostgres({ dataDir: join(base, 'first'), settings });
  running.push(primary);
  const standby = await startStandby({ primary, dataDir: join(base, 'second'), settings });
  running.push(standby);
  await query(primary.url, 'create table note (n int)');
  await standby.kill();
  let answered = false;
  const waiting = query(primary.url, 'insert into note values (1)').then(() => {
    answered = true;
  });
  await waitUntil('the COMMIT to wait for a standby', () => aCommitWaits(primary));
  expect(answered).toBe(false);
  running.push(await startStandby({ primary, dataDir: join(base, 'third'), settings }));
  await waiting;
  expect(await query(primary.url, 'select n from note')).toEqual([{ n: 1 }]);
});

/** Inserts rows, each in a transaction of its own, until the server is gone. Notes the acknowledged rows. */
async function write(url: string, acknowledged: number[]): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  await client.query('create table if not exists note (n int primary key)');
  try {
    for (let n = (acknowledged.at(-1) ?? 0) + 2; ; n += 1) {
      await client.query('insert into note values ($1)', [n]);
      acknowledged.push(n);
    }
  } catch {
    await client.end().catch(() => undefined);
  }
}

async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}
