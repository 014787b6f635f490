// Looks at the hosts follow on each other after a pause: an overload must not become one of sessions as well.
import { waitUntil } from '@ducat/devnet/process/wait-until';
import type pg from 'pg';
import { expect, inject, it } from 'vitest';
import { Outage } from '../../runtime/outage.ts';
import { LateCommits } from './late-commits.ts';
import { createHosts } from './primary-client.ts';
import { openDatabase } from './tx.ts';

it('one look follows on another after a pause, however many ask for one', async () => {
  const hosts = createHosts([inject('postgresAdminUrl')], () => undefined);
  let looks = 0;
  class Counted extends hosts.Client {
    constructor(options?: pg.ClientConfig, place?: number) {
      super(options, place);
      looks++;
    }
  }
  const pauses: { readonly ms: number; readonly signal: AbortSignal; readonly end: () => void }[] = [];
  const sleep = (ms: number, signal: AbortSignal) =>
    new Promise<void>((end) => void pauses.push({ ms, signal, end }));
  const late = new LateCommits({ ...hosts, Client: Counted }, {}, sleep);
  for (let round = 1; round <= 3; round++) {
    for (let n = 0; n < 50; n++) late.look();
    pauses.at(-1)?.end();
    await waitUntil('the pause to begin', () => pauses.length === round);
    for (let n = 0; n < 50; n++) late.look();
    await new Promise(setImmediate);
    expect(looks).toBe(round);
  }
  expect(pauses.map(({ ms }) => ms)).toEqual([1_000, 1_000, 1_000]);
  late.close();
  pauses.at(-1)?.end();
  await new Promise(setImmediate);
  expect([pauses.at(-1)?.signal.aborted, looks]).toEqual([true, 3]);
});

it('a database rests between its looks by the sleep that it was given', async () => {
  const slept: number[] = [];
  const sleep = async (ms: number) => void slept.push(ms);
  const url = `${inject('postgresAdminUrl')}?query_timeout=100`;
  const database = openDatabase(url, 1, () => undefined, { sleep });
  try {
    await expect(database.reader.read('SELECT pg_sleep(1)', [])).rejects.toBeInstanceOf(Outage);
    await waitUntil('a look to be over', () => slept.includes(1_000));
  } finally {
    await database.close();
  }
});
