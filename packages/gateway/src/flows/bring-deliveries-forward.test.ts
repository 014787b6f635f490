// Shows what is brought forward after a clock was put back, and that nothing else is touched.
import { readFileSync } from 'node:fs';
import { retryLadderSeconds } from '@ducat/core/webhook/schedule';
import { afterAll, afterEach, beforeAll, expect, inject, it } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../testing/database.ts';
import { EVENTS_AT_MS, insertEventApp, insertTestEvents, readEvent } from '../testing/events.ts';
import { realWorld } from '../world.ts';
import { bringDeliveriesForward, CLOCKS_APART_MS, MAX_BROUGHT_FORWARD } from './bring-deliveries-forward.ts';
import { claimDeliveries } from './claim-deliveries.ts';
import { recordDeliveries } from './record-delivery.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase(inject('postgresAdminUrl'));
  await insertEventApp(database);
});
afterEach(() =>
  database.transact(async (tx) => {
    await tx.write('DELETE FROM delivery_attempts', []);
    await tx.write('DELETE FROM events', []);
  }),
);
afterAll(() => database.drop());

const LEASE_MS = 30_000;
const AHEAD_MS = 3 * 3_600_000;

const bring = (nowMs: number, after = 0) =>
  database.transact((tx) => bringDeliveriesForward(tx, { nowMs, leaseMs: LEASE_MS, after }));

function claim(nowMs: number) {
  const room = { maxDeliveries: 100, maxPerApp: 100, maxPerReceiver: 100, underWay: [], after: new Map() };
  return database.transact((tx) => claimDeliveries(tx, { nowMs, leaseMs: LEASE_MS, ...room }));
}

const dueAt = async (eventId: string) => (await readEvent(database, eventId)).nextAttemptAtMs;

/** One event under way, one that failed so often, and one that is new. */
async function insertThree(atMs: number, failed: number): Promise<void> {
  await insertTestEvents(
    database,
    ['sent', 'failed', 'new'].map((eventId) => ({ eventId, createdAtMs: atMs })),
  );
  await database.transact((tx) =>
    tx.write(`UPDATE events SET attempts = $1 WHERE event_id = 'failed'`, [failed - 1]),
  );
  await database.transact((tx) =>
    tx.write(`UPDATE events SET next_attempt_at_ms = $1 WHERE event_id = 'new'`, [atMs + 1]),
  );
  const { deliveries } = await claim(atMs);
  const times = { startedAtMs: atMs, endedAtMs: atMs, outcome: 'timeout', httpStatus: null } as const;
  const ends = deliveries
    .filter(({ eventId }) => eventId === 'failed')
    .map((delivery) => ({ ...delivery, ...times }));
  expect(ends).toHaveLength(1);
  await database.transact((tx) => recordDeliveries(tx, ends));
}

it.each([1, 5, 11, 15])(
  'what a clock that was ahead put off waits as long as its rung says, after %i attempts',
  async (failed) => {
    await insertThree(EVENTS_AT_MS + AHEAD_MS, failed);
    expect(await bring(EVENTS_AT_MS)).toBe(null);
    expect(await dueAt('new')).toBe(EVENTS_AT_MS);
    expect(await dueAt('failed')).toBe(EVENTS_AT_MS + (retryLadderSeconds[failed - 1] ?? 0) * 1000);
    expect(await dueAt('sent')).toBe(EVENTS_AT_MS + LEASE_MS + 5_000);
    expect((await readEvent(database, 'sent')).underWay).toBe(true);
    expect((await claim(EVENTS_AT_MS)).deliveries).toMatchObject([{ eventId: 'new' }]);
  },
);

it.each([1, 5, 11, 15])(
  'what the clock of a neighbour put off stays, after %i attempts, and so do claims',
  async (failed) => {
    await insertThree(EVENTS_AT_MS + CLOCKS_APART_MS, failed);
    const before = [await dueAt('sent'), await dueAt('failed'), await dueAt('new')];
    expect(await bring(EVENTS_AT_MS)).toBe(null);
    expect([await dueAt('sent'), await dueAt('failed'), await dueAt('new')]).toEqual(before);
  },
);

it('goes through more than fit into one batch', async () => {
  const createdAtMs = EVENTS_AT_MS + AHEAD_MS;
  const many = Array.from({ length: MAX_BROUGHT_FORWARD + 1 }, (_, place) => `evt_${place}`);
  await insertTestEvents(
    database,
    many.map((eventId) => ({ eventId, createdAtMs })),
  );
  const behind = await bring(EVENTS_AT_MS);
  expect(await dueAt('evt_999')).toBe(EVENTS_AT_MS);
  expect(await dueAt('evt_1000')).toBe(createdAtMs);
  expect(await bring(EVENTS_AT_MS, behind ?? 0)).toBe(null);
  expect(await dueAt('evt_1000')).toBe(EVENTS_AT_MS);
});

it('the statement of docs/operate/webhooks.md does it by hand, and leaves what the longest rung may put off', async () => {
  const page = readFileSync(new URL('../../../../docs/operate/webhooks.md', import.meta.url), 'utf8');
  const [, sql = ''] = /```sql\n([\s\S]*?)```/.exec(page) ?? [];
  const nowMs = realWorld.nowMs();
  const sixHours = nowMs + 6 * 3_600_000;
  await insertTestEvents(database, [
    { eventId: 'put-off', createdAtMs: nowMs + 8 * 3_600_000 },
    { eventId: 'failed', createdAtMs: sixHours },
  ]);
  await database.transact((tx) => tx.write(sql, []));
  expect(await dueAt('put-off')).toBeLessThanOrEqual(realWorld.nowMs());
  expect(await dueAt('failed')).toBe(sixHours);
});
