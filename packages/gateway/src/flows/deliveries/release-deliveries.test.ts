// Shows that a claim given back was never made, and that nobody else's claim can be given back.
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest';
import { openTestDatabase, type TestDatabase } from '@ducat/testkit/database';
import {
  deleteEvents,
  EVENTS_AT_MS,
  insertEventApp,
  insertTestEvents,
  readAttempts,
  readEvent,
} from '@ducat/testkit/events';
import type { ClaimedDelivery } from '../../db/tables/deliveries/claims.ts';
import { claimDeliveries } from './claim-deliveries.ts';
import { recordDeliveries } from './record-delivery.ts';
import { resendEvents } from './resend-events.ts';
import { releaseDeliveries } from './release-deliveries.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase(inject('postgresAdminUrl'));
  await insertEventApp(database);
});
afterEach(() => deleteEvents(database));
afterAll(() => database.drop());

const LEASE_MS = 30_000;

async function claimAt(nowMs: number) {
  const limits = { nowMs, leaseMs: LEASE_MS, maxDeliveries: 9, maxPerApp: 9, maxPerReceiver: 9 };
  const { deliveries } = await claimDeliveries(database, { ...limits, underWay: [], after: new Map() });
  return deliveries;
}

async function release(deliveries: readonly ClaimedDelivery[]) {
  const { released } = await database.transact((tx) => releaseDeliveries(tx, deliveries));
  return released;
}

describe('a claim that is given back after the attempt before it has ended', () => {
  /** The first notifier sends and stands still; the second claims, and the end of the first comes after that. */
  async function supersede(outcome: 'connection-failed' | 'delivered') {
    await insertTestEvents(database, [{ eventId: 'one' }]);
    const [first] = await claimAt(EVENTS_AT_MS);
    const second = await claimAt(EVENTS_AT_MS + LEASE_MS + 5_000);
    if (first === undefined || second[0]?.attempt !== 2) throw new Error('both claim it');
    const endedAtMs = EVENTS_AT_MS + LEASE_MS + 6_000;
    const ended = { ...first, startedAtMs: EVENTS_AT_MS, endedAtMs, outcome, httpStatus: null };
    await database.transact((tx) => recordDeliveries(tx, [ended]));
    expect(await release(second)).toBe(1);
    return endedAtMs;
  }

  it('is not due before the wait after that attempt', async () => {
    const endedAtMs = await supersede('connection-failed');
    expect(await readEvent(database, 'one')).toMatchObject({
      state: 'pending',
      attempts: 1,
      underWay: false,
      nextAttemptAtMs: endedAtMs + 5_000,
    });
  });

  it('leaves no attempt behind that was never made', async () => {
    await supersede('delivered');
    expect(await readEvent(database, 'one')).toMatchObject({ state: 'delivered', attempts: 1 });
    expect(await readAttempts(database, 'one')).toHaveLength(1);
  });
});

describe('a claim that is given back', () => {
  it('leaves no attempt, costs no wait, keeps its place, and can be made again at once under its number', async () => {
    await insertTestEvents(database, [{ eventId: 'one' }, { eventId: 'two' }]);
    const claimed = await claimAt(EVENTS_AT_MS);
    expect(await release(claimed.slice(1))).toBe(1);
    expect(await readEvent(database, 'two')).toMatchObject({
      state: 'pending',
      attempts: 0,
      underWay: false,
      nextAttemptAtMs: EVENTS_AT_MS,
    });
    expect(await readAttempts(database, 'two')).toEqual([]);
    expect(await readEvent(database, 'one')).toMatchObject({ attempts: 1, underWay: true });
    expect(await claimAt(EVENTS_AT_MS + 10)).toEqual([
      expect.objectContaining({ eventId: 'two', attempt: 1, scheduledAttempt: 1 }),
    ]);
  });

  it('is before the younger events of its queue again', async () => {
    await insertTestEvents(database, [
      { eventId: 'young', createdAtMs: EVENTS_AT_MS + 1 },
      { eventId: 'old', createdAtMs: EVENTS_AT_MS },
    ]);
    await release(await claimAt(EVENTS_AT_MS + 1_000));
    expect((await claimAt(EVENTS_AT_MS + 1_000)).map(({ eventId }) => eventId)).toEqual(['old', 'young']);
  });

  it('is not waited for where another transaction holds its event', async () => {
    await insertTestEvents(database, [{ eventId: 'held' }, { eventId: 'free' }]);
    const claimed = await claimAt(EVENTS_AT_MS);
    await database.transact(async (holding) => {
      await holding.write(`SELECT FROM events WHERE event_id = 'held' FOR UPDATE`, []);
      expect(await release(claimed)).toBe(1);
    });
  });

  it('keeps the attempts before it', async () => {
    await insertTestEvents(database, [{}]);
    await claimAt(EVENTS_AT_MS);
    const secondAtMs = EVENTS_AT_MS + LEASE_MS + 5_000;
    expect(await release(await claimAt(secondAtMs))).toBe(1);
    expect(await readEvent(database, 'evt_0')).toMatchObject({ attempts: 1, underWay: false });
    expect(await readAttempts(database, 'evt_0')).toMatchObject([{ attempt: 1, outcome: 'unfinished' }]);
  });
});

describe('what is not given back', () => {
  it('is a claim that a newer one has followed', async () => {
    await insertTestEvents(database, [{}]);
    const [first] = await claimAt(EVENTS_AT_MS);
    await claimAt(EVENTS_AT_MS + LEASE_MS + 5_000);
    const before = await readEvent(database, 'evt_0');
    expect(await release([first!])).toBe(0);
    expect(await readEvent(database, 'evt_0')).toEqual(before);
  });

  it('is an event that has ended, or was resent since', async () => {
    await insertTestEvents(database, [{}]);
    const [claimed] = await claimAt(EVENTS_AT_MS);
    const times = { startedAtMs: EVENTS_AT_MS, endedAtMs: EVENTS_AT_MS + 5 };
    const ended = { ...claimed!, ...times, outcome: 'delivered', httpStatus: 200 } as const;
    await database.transact((tx) => recordDeliveries(tx, [ended]));
    expect(await release([claimed!])).toBe(0);
    expect(await readEvent(database, 'evt_0')).toMatchObject({ state: 'delivered', attempts: 1 });
    await database.transact((tx) => resendEvents(tx, { eventIds: ['evt_0'] }, EVENTS_AT_MS + 7));
    expect(await release([claimed!])).toBe(0);
    expect(await readEvent(database, 'evt_0')).toMatchObject({ state: 'pending', attempts: 1 });
    expect(await readAttempts(database, 'evt_0')).toMatchObject([{ outcome: 'delivered' }]);
  });
});
