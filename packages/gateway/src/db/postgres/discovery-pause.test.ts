// When the primary is looked for: once a minute, and after a pause, because each look opens a session on every host.
import { once } from 'node:events';
import { waitUntil } from '@ducat/devnet/process/wait-until';
import type pg from 'pg';
import { expect, inject, it } from 'vitest';
import { Outage } from '../../runtime/outage.ts';
import { InDoubtCommits } from './in-doubt-commits.ts';
import { createHosts, type Hosts } from './primary-client.ts';
import { openPool } from './pool.ts';
import { createStatementNames } from './statement-names.ts';
import { openDatabase } from './tx.ts';

it('one follows on another after a pause, however many request one', async () => {
  const hosts = createHosts([inject('postgresAdminUrl')], () => undefined);
  let discoveries = 0;
  class Counted extends hosts.Client {
    constructor(options?: pg.ClientConfig, place?: number) {
      super(options, place);
      discoveries++;
    }
  }
  const pauses: { readonly ms: number; readonly signal: AbortSignal; readonly end: () => void }[] = [];
  const sleep = (ms: number, signal: AbortSignal) =>
    new Promise<void>((end) => void pauses.push({ ms, signal, end }));
  const inDoubt = new InDoubtCommits({ ...hosts, Client: Counted }, {}, sleep);
  for (let round = 1; round <= 3; round++) {
    for (let n = 0; n < 50; n++) inDoubt.discoverPrimary();
    pauses.at(-1)?.end();
    await waitUntil('the pause to begin', () => pauses.length === round);
    for (let n = 0; n < 50; n++) inDoubt.discoverPrimary();
    await new Promise(setImmediate);
    expect(discoveries).toBe(round);
  }
  expect(pauses.map(({ ms }) => ms)).toEqual([1_000, 1_000, 1_000]);
  inDoubt.close();
  pauses.at(-1)?.end();
  await new Promise(setImmediate);
  expect([pauses.at(-1)?.signal.aborted, discoveries]).toEqual([true, 3]);
});

it('a database pauses between them by the sleep that it was given', async () => {
  const slept: number[] = [];
  // The look at long work, which sleeps for longer, does not come.
  const sleep = async (ms: number, signal: AbortSignal) => {
    slept.push(ms);
    if (ms > 1_000) await once(signal, 'abort');
  };
  const url = `${inject('postgresAdminUrl')}?query_timeout=100`;
  const database = openDatabase(url, 1, () => undefined, { sleep });
  try {
    await expect(database.reader.read('SELECT pg_sleep(1)', [])).rejects.toBeInstanceOf(Outage);
    await waitUntil('one to be over', () => slept.includes(1_000));
  } finally {
    await database.close();
  }
});

it('a database looks for the primary each minute, so its connections may live for longer', async () => {
  const slept: number[] = [];
  let lookedAtMs: number | null = null;
  const sleep = async (ms: number, signal: AbortSignal) => {
    slept.push(ms);
    // The pause after the first discovery.
    if (ms === 1_000) {
      lookedAtMs = slept.filter((one) => one === 5_000).length * 5_000;
      await once(signal, 'abort');
    }
    await new Promise(setImmediate);
  };
  const database = openDatabase(inject('postgresAdminUrl'), 1, () => undefined, { sleep });
  try {
    await waitUntil('a discovery', () => lookedAtMs !== null);
  } finally {
    await database.close();
  }
  expect(slept.slice(0, 12)).toEqual(Array(12).fill(5_000));
});

it.each([
  ['ten minutes where the primary is looked for each minute', true, true, 600],
  ['a minute where the primary is not looked for', false, true, 60],
  ['a minute where the server reports no timeline', true, false, 60],
])('a connection lives for %s', async (_, isWatched, reportsTimeline, seconds) => {
  const pool = poolOf({ reportsTimeline: () => reportsTimeline }, isWatched);
  expect(pool.options.maxLifetimeSeconds).toBe(seconds);
  await pool.end();
});

it.each([
  ['a minute with one host', ['one'], 60_000],
  ['ten seconds with several hosts, since it counts as a sign that its host lives', ['one', 'two'], 10_000],
])('a connection is idle for %s', async (_, urls, ms) => {
  const pool = poolOf({ urls }, true);
  expect(pool.options.idleTimeoutMillis).toBe(ms);
  await pool.end();
});

function poolOf(change: Partial<Hosts>, isWatched: boolean): pg.Pool {
  const hosts = { ...createHosts([inject('postgresAdminUrl')], () => undefined), ...change };
  const inDoubt = new InDoubtCommits(hosts, {});
  return openPool({ hosts, inDoubt, names: createStatementNames(), isWatched }, { max: 1 }).pool;
}
