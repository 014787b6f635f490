// Shows that the events of one subject go out in their order, and when a final one may overtake.
import { MAX_ATTEMPTS } from '@ducat/core/webhook/schedule';
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest';
import { openTestDatabase, type TestDatabase } from '@ducat/testkit/database';
import {
  deleteEvents,
  EVENTS_AT_MS,
  insertEventApp,
  insertTestEvents,
  readEvent,
} from '@ducat/testkit/events';
import { claimDeliveries } from './claim-deliveries.ts';
import { recordDeliveries } from './record-delivery.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase(inject('postgresAdminUrl'));
  await insertEventApp(database);
});
afterEach(() => deleteEvents(database));
afterAll(() => database.drop());

function claim({ nowMs = EVENTS_AT_MS } = {}) {
  const room = { leaseMs: 30_000, maxDeliveries: 100, maxPerApp: 100, maxPerReceiver: 8 };
  return claimDeliveries(database, { ...room, nowMs, underWay: [], after: new Map() });
}

async function claimedIds(change: { nowMs?: number } = {}): Promise<readonly string[]> {
  return (await claim(change)).deliveries.map((delivery) => delivery.eventId);
}

function record(eventId: string, attempt: number, outcome: 'delivered' | 'timeout', endedAtMs: number) {
  const ended = { eventId, attempt, scheduledAttempt: attempt, startedAtMs: endedAtMs, endedAtMs, outcome };
  return database.transact((tx) => recordDeliveries(tx, [{ ...ended, httpStatus: null }]));
}

describe('the order of events', () => {
  const partial = { tradeNo: 'ord_1', status: 'TO-BE-PAID', final: false };
  const final = { tradeNo: 'ord_1', status: 'PAID', final: true };

  it('holds an event back until the one before it is finished, and then sends it at once', async () => {
    await insertTestEvents(database, [
      { ...partial, eventId: 'one' },
      { ...partial, eventId: 'two' },
      { ...partial, eventId: 'three' },
    ]);
    expect(await claim()).toMatchObject({ deliveries: [{ eventId: 'one' }], postponed: 2 });
    await record('one', 1, 'timeout', EVENTS_AT_MS + 1_000);
    expect(await claimedIds({ nowMs: EVENTS_AT_MS + 5_999 })).toEqual([]);
    expect(await claimedIds({ nowMs: EVENTS_AT_MS + 6_000 })).toEqual(['one']);
    await record('one', 2, 'delivered', EVENTS_AT_MS + 6_100);
    expect(await claimedIds({ nowMs: EVENTS_AT_MS + 6_100 })).toEqual(['two']);
    await record('two', 1, 'delivered', EVENTS_AT_MS + 6_200);
    expect(await claimedIds({ nowMs: EVENTS_AT_MS + 6_200 })).toEqual(['three']);
  });

  it('lets a final event overtake once the first attempt of the one in front has failed', async () => {
    await insertTestEvents(database, [
      { ...partial, eventId: 'one' },
      { ...partial, eventId: 'two' },
      { ...final, eventId: 'paid' },
    ]);
    expect(await claimedIds()).toEqual(['one']);
    expect(await claimedIds({ nowMs: EVENTS_AT_MS + 3_000 })).toEqual([]);
    await record('one', 1, 'timeout', EVENTS_AT_MS + 3_000);
    expect(await claimedIds({ nowMs: EVENTS_AT_MS + 6_000 })).toEqual(['paid']);
  });

  it('holds a final event back until the final one before it is finished', async () => {
    const one = { ...partial, eventId: 'one' };
    const timedOut = { ...final, eventId: 'timed-out', status: 'TIME-OUT' };
    const paid = { ...final, eventId: 'paid', url: 'https://other.test/', createdAtMs: EVENTS_AT_MS + 1 };
    await insertTestEvents(database, [one, timedOut, paid]);
    expect(await claimedIds()).toEqual(['one']);
    await record('one', 1, 'timeout', EVENTS_AT_MS + 1);
    expect(await claimedIds({ nowMs: EVENTS_AT_MS + 4_000 })).toEqual(['timed-out']);
    await record('timed-out', 1, 'delivered', EVENTS_AT_MS + 4_001);
    expect(await claimedIds({ nowMs: EVENTS_AT_MS + 4_001 })).toEqual(['paid']);
  });

  it('goes on behind a dead event', async () => {
    await insertTestEvents(database, [
      { ...partial, eventId: 'one' },
      { ...partial, eventId: 'two' },
    ]);
    await database.transact((tx) =>
      tx.write(`UPDATE events SET attempts = ${MAX_ATTEMPTS - 1} WHERE event_id = 'one'`, []),
    );
    expect(await claim()).toMatchObject({ deliveries: [{ eventId: 'one', attempt: MAX_ATTEMPTS }] });
    await record('one', MAX_ATTEMPTS, 'timeout', EVENTS_AT_MS + 10);
    expect((await readEvent(database, 'one')).state).toBe('dead');
    expect(await claimedIds({ nowMs: EVENTS_AT_MS + 10 })).toEqual(['two']);
  });

  it('looks at a held event again soon even if nobody woke it', async () => {
    await insertTestEvents(database, [
      { ...partial, eventId: 'one' },
      { ...partial, eventId: 'two' },
    ]);
    await claim();
    await database.transact((tx) =>
      tx.write(
        `UPDATE events SET state = 'delivered', next_attempt_at_ms = NULL, leased_until_ms = NULL
         WHERE event_id = 'one'`,
        [],
      ),
    );
    expect(await claimedIds({ nowMs: EVENTS_AT_MS + 2_000 })).toEqual(['two']);
  });

  it('does not let a pile of held events stand in the way of other orders at the same receiver', async () => {
    const held = Array.from({ length: 60 }, (_, place) => ({ ...partial, eventId: `held${place}` }));
    await insertTestEvents(database, [...held, { eventId: 'other', createdAtMs: EVENTS_AT_MS + 1 }]);
    const claimed: string[] = [];
    for (let round = 0; round < 20 && !claimed.includes('other'); round++) {
      claimed.push(...(await claimedIds({ nowMs: EVENTS_AT_MS + 1 })));
    }
    expect(claimed).toEqual(['held0', 'other']);
  });
});
