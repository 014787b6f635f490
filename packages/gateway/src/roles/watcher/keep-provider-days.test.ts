// Counts go on while the database is away, and what was kept is not kept twice.
import { openTestDatabase, type TestDatabase } from '@ducat/testkit/database';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import type { ChainReader } from '../../chains/port/reader.ts';
import { readProviderDays } from '../../db/tables/operating/provider-days.ts';
import { Outage } from '../../runtime/outage.ts';
import { realWorld } from '../../runtime/world.ts';
import { createLog } from '../../runtime/log.ts';
import { keepProviderDays } from './keep-provider-days.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase(inject('postgresAdminUrl'), 2);
  await database.transact((tx) => tx.write(`INSERT INTO leases VALUES ('watch-ETH', 1, 'me', 0, 0)`, []));
});
afterAll(() => database?.drop());

it('adds what is new each time', async () => {
  const ending = new AbortController();
  const counts = [1, 4, 9].map((calls) => ({ calls, failures: 1, totalMs: calls * 10 }));
  const health = {
    provider: 'p.example',
    circuit: 'closed',
    reason: null,
    disagreements: 2,
    head: 7,
  } as const;
  let minute = -1;
  const deps = {
    // A chain is asked for its name and its providers alone.
    chain: { definition: { name: 'ETH' }, providers: () => [health] } as unknown as ChainReader,
    countsOf: () => counts[minute]!,
    holder: 'me',
    log: createLog('silent'),
    transact: <T>(flow: Parameters<typeof database.transact<T>>[0]) => {
      if (minute === 1) throw new Outage('away');
      return database.transact(flow);
    },
    world: {
      ...realWorld,
      nowMs: () => 86_400_000,
      sleep: async () => {
        minute += 1;
        if (minute === counts.length) ending.abort();
      },
    },
  };
  await keepProviderDays(deps, ending.signal);
  expect(await readProviderDays(database.reader, 0)).toMatchObject([
    { day: 1, chain: 'ETH', calls: 9, failures: 1, totalMs: 90, disagreements: 2, head: 7 },
  ]);
});
