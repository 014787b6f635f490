// Discoveries of the primary follow on each other after a pause: each opens a session on every host.
import { once } from 'node:events';
import { waitUntil } from '@ducat/devnet/process/wait-until';
import type pg from 'pg';
import { expect, inject, it } from 'vitest';
import { Outage } from '../../runtime/outage.ts';
import { InDoubtCommits } from './in-doubt-commits.ts';
import { createHosts } from './primary-client.ts';
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
