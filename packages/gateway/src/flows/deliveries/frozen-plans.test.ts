// Shows that the statements of the outbox never read a whole table, also by plans that were made while it was empty.
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { openTestDatabase, type TestDatabase } from '@ducat/testkit/database';
import { EVENTS_AT_MS, insertEventApp, insertTestEvents } from '@ducat/testkit/events';
import type { ClaimedDelivery } from '../../db/tables/deliveries/claims.ts';
import { claimDeliveries } from './claim-deliveries.ts';
import { recordDeliveries } from './record-delivery.ts';
import { releaseDeliveries } from './release-deliveries.ts';

/** From the sixth time on, the server may keep one plan for all values. */
const UNTIL_PLANS_STAY = 8;
const EVENTS = 2_000;
const ROOM = { leaseMs: 30_000, maxDeliveries: 200, maxPerApp: 200, maxPerReceiver: 200 };

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase(inject('postgresAdminUrl'));
  await insertEventApp(database);
  await database.transact((tx) => tx.write('ANALYZE', []));
});
afterAll(() => database.drop());

const transact: TestDatabase['transact'] = (flow) => database.queues.transact(flow);

async function claim(nowMs: number): Promise<readonly ClaimedDelivery[]> {
  const limits = { ...ROOM, nowMs, underWay: [], after: new Map<string, string>() };
  return (await claimDeliveries(database.queues, limits)).deliveries;
}

function record(deliveries: readonly ClaimedDelivery[]) {
  const answer = { outcome: 'delivered', httpStatus: 200 } as const;
  const times = { startedAtMs: EVENTS_AT_MS, endedAtMs: EVENTS_AT_MS + 1 };
  const ends = deliveries.map((delivery) => ({ ...delivery, ...times, ...answer }));
  return transact((tx) => recordDeliveries(tx, ends));
}

async function wholeReads(): Promise<readonly { readonly table: string; readonly reads: number }[]> {
  await transact((tx) => tx.write('SELECT pg_stat_force_next_flush()', []));
  return database.reader.read(
    `SELECT relname AS table, seq_scan::integer AS reads FROM pg_stat_user_tables
     WHERE relname IN ('events', 'delivery_attempts') ORDER BY relname`,
    [],
  );
}

it('are the same when the first thousands of events come', async () => {
  const before = await wholeReads();
  for (let time = 0; time < UNTIL_PLANS_STAY; time++) {
    expect(await claim(EVENTS_AT_MS)).toEqual([]);
    await record([]);
    await transact((tx) => releaseDeliveries(tx, []));
  }
  const events = Array.from({ length: EVENTS }, (_, place) => ({ eventId: `new${place}` }));
  await insertTestEvents(database, events);
  const claimed = await claim(EVENTS_AT_MS + 1);
  expect(claimed).toHaveLength(200);
  expect(new Set(await record(claimed.slice(50)))).toEqual(new Set(['delivered']));
  const { released } = await transact((tx) => releaseDeliveries(tx, claimed.slice(0, 50)));
  expect(released).toBe(50);
  expect(await wholeReads()).toEqual(before);
});
