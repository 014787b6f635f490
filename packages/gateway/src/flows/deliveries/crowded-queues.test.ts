// Shows that a claim neither forgets receivers nor orders when queues are full and orders have thousands of parts.
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest';
import { openTestDatabase, type TestDatabase } from '@ducat/testkit/database';
import {
  deleteEvents,
  EVENTS_AT_MS,
  insertEventApp,
  insertTestEvents,
  readEvent,
} from '@ducat/testkit/events';
import { type ClaimLimits, claimDeliveries } from './claim-deliveries.ts';
import { recordDeliveries } from './record-delivery.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase(inject('postgresAdminUrl'));
  await insertEventApp(database);
});
afterEach(() => deleteEvents(database));
afterAll(() => database.drop());

const LEASE_MS = 30_000;
const LIMITS: ClaimLimits = {
  nowMs: EVENTS_AT_MS,
  leaseMs: LEASE_MS,
  maxDeliveries: 256,
  maxPerApp: 64,
  maxPerReceiver: 8,
  underWay: [],
  after: new Map(),
};

function claim(change: Partial<ClaimLimits> = {}) {
  return claimDeliveries(database, { ...LIMITS, ...change });
}

async function claimedIds(change: Partial<ClaimLimits> = {}): Promise<readonly string[]> {
  return (await claim(change)).deliveries.map((delivery) => delivery.eventId);
}

function record(eventId: string, outcome: 'delivered' | 'timeout', endedAtMs: number) {
  const ended = { eventId, attempt: 1, scheduledAttempt: 1, startedAtMs: EVENTS_AT_MS, endedAtMs, outcome };
  return database.transact((tx) => recordDeliveries(tx, [{ ...ended, httpStatus: null }]));
}

describe('an app whose places are all taken', () => {
  it('goes on behind the receivers that were looked at before, once a place is free', async () => {
    const urls = Array.from({ length: 201 }, (_, place) => `https://r${1_000 + place}.test/`);
    await insertTestEvents(
      database,
      urls.map((url) => ({ url, eventId: url })),
    );
    const first = await claim();
    expect(first.deliveries).toHaveLength(64);
    expect(first).toMatchObject({ resumeAfter: new Map([['app_1', 'r1199.test']]), searchGoesOn: true });

    const whenFull = await claim({ underWay: first.deliveries, after: first.resumeAfter });
    expect(whenFull).toMatchObject({
      deliveries: [],
      resumeAfter: first.resumeAfter,
      searchGoesOn: false,
    });
    const underWay = first.deliveries.slice(1);
    const last = await claim({ underWay, after: whenFull.resumeAfter });
    expect(last).toMatchObject({
      deliveries: [{ receiver: 'r1200.test' }],
      resumeAfter: new Map(),
      searchGoesOn: false,
    });
  });
});

describe('a final event', () => {
  const partial = { tradeNo: 'ord_1', status: 'TO-BE-PAID', final: false, eventId: 'part' };
  const final = { tradeNo: 'ord_1', status: 'PAID', final: true, eventId: 'paid' };
  const fullQueue = Array.from({ length: 8 }, () => ({ appId: 'app_1', receiver: 'dead.test' }));

  it('does not wait behind the full queue of another receiver', async () => {
    await insertTestEvents(database, [
      { ...partial, url: 'https://dead.test/' },
      { ...final, url: 'https://alive.test/' },
    ]);
    expect(await claimedIds({ underWay: fullQueue })).toEqual(['paid']);
  });

  it('waits for the first attempt of the event in front of it at the same receiver', async () => {
    await insertTestEvents(database, [partial, final]);
    expect(await claimedIds()).toEqual(['part']);
    expect(await claimedIds({ nowMs: EVENTS_AT_MS + 2_000 })).toEqual([]);
    await record('part', 'timeout', EVENTS_AT_MS + 3_000);
    expect(await claimedIds({ nowMs: EVENTS_AT_MS + 4_000 })).toEqual(['paid']);
  });
});

describe('an order of many parts', () => {
  it('has only the next part looked at again while one is under way, and sends each as soon as it may', async () => {
    const parts = Array.from({ length: 6 }, (_, place) => `part${place}`);
    await insertTestEvents(
      database,
      parts.map((eventId) => ({ eventId, tradeNo: 'ord_1', status: 'TO-BE-PAID', final: false })),
    );
    expect(await claim()).toMatchObject({ deliveries: [{ eventId: 'part0' }], postponed: 5 });
    for (const seconds of [2, 4, 6, 8]) {
      const again = await claim({ nowMs: EVENTS_AT_MS + seconds * 1_000 });
      expect(again).toMatchObject({ deliveries: [], postponed: 1 });
    }
    // The lease has ended and the event in front waits for its next attempt; those behind the next in line wait longer.
    expect(await claim({ nowMs: EVENTS_AT_MS + LEASE_MS })).toMatchObject({ deliveries: [], postponed: 5 });
    expect((await readEvent(database, 'part1')).nextAttemptAtMs).toBe(EVENTS_AT_MS + LEASE_MS + 5_000);
    expect((await readEvent(database, 'part5')).nextAttemptAtMs).toBe(EVENTS_AT_MS + LEASE_MS + LEASE_MS);

    const nowMs = EVENTS_AT_MS + LEASE_MS + 1;
    await record('part0', 'delivered', nowMs);
    for (const part of parts.slice(1)) {
      expect(await claimedIds({ nowMs })).toEqual([part]);
      await record(part, 'delivered', nowMs);
    }
  });
});

describe('a queue whose receiver is quick', () => {
  it('has some prefetched, beside the turns of all others', async () => {
    const eventsAt = (host: string, count: number) =>
      Array.from({ length: count }, (_, place) => ({ eventId: `${host}${place}`, url: `https://${host}/` }));
    await insertTestEvents(database, [...eventsAt('quick.test', 40), ...eventsAt('other.test', 5)]);
    const prefetch = [{ appId: 'app_1', receiver: 'quick.test', deliveries: 20 }];
    const { deliveries } = await claim({ maxPerReceiver: 4, maxPerApp: 8, prefetch });
    const at = (host: string) => deliveries.filter(({ receiver }) => receiver === host);
    expect(at('other.test')).toHaveLength(4);
    expect(at('quick.test')).toHaveLength(24);
    const first = at('quick.test').slice(0, 4);
    expect(first.map(({ eventId }) => eventId)).toEqual([0, 1, 2, 3].map((place) => `quick.test${place}`));
    const underWay = Array.from({ length: 4 }, () => ({ appId: 'app_1', receiver: 'quick.test' }));
    expect(await claimedIds({ maxPerReceiver: 4, maxPerApp: 9, underWay, prefetch })).toHaveLength(16 + 1);
  });
});
