// Shows what follows from the end of an attempt: the exact retry schedule, death, delivery, and late answers.
import { MAX_ATTEMPTS, retryScheduleSeconds } from '@ducat/core/webhook/schedule';
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
import { type EndedDelivery, recordDeliveries } from './record-delivery.ts';
import { resendEvents } from './resend-events.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase(inject('postgresAdminUrl'));
  await insertEventApp(database);
});
afterEach(() => deleteEvents(database));
afterAll(() => database.drop());

const LEASE_MS = 30_000;
/** When the second attempt is made after the first was lost. */
const SECOND_AT_MS = EVENTS_AT_MS + LEASE_MS + 5_000;

/** The next claim, of the one event there is. */
async function claimAt(nowMs: number): Promise<ClaimedDelivery> {
  const limits = {
    nowMs,
    leaseMs: LEASE_MS,
    maxDeliveries: 1,
    maxPerApp: 1,
    maxPerReceiver: 1,
    underWay: [],
    after: new Map(),
  };
  const { deliveries } = await claimDeliveries(database, limits);
  return deliveries[0]!;
}

function endOf(
  claimed: ClaimedDelivery,
  change: Partial<EndedDelivery> & { endedAtMs: number },
): EndedDelivery {
  const { eventId, attempt, scheduledAttempt } = claimed;
  const ended = { eventId, attempt, scheduledAttempt, startedAtMs: change.endedAtMs - 250 };
  return { ...ended, outcome: 'http-status', httpStatus: 500, ...change };
}

async function record(claimed: ClaimedDelivery, change: Partial<EndedDelivery> & { endedAtMs: number }) {
  const [recorded] = await database.transact((tx) => recordDeliveries(tx, [endOf(claimed, change)]));
  return recorded!;
}

describe('the retry schedule', () => {
  it('has the exact times of the contract, each counted from the end of the attempt before, and then death', async () => {
    await insertTestEvents(database, [{}]);
    let nowMs = EVENTS_AT_MS;
    const waitsSeconds: number[] = [];
    for (let attempt = 1; attempt < MAX_ATTEMPTS; attempt++) {
      const claimed = await claimAt(nowMs);
      expect(claimed.attempt).toBe(attempt);
      const endedAtMs = nowMs + 250;
      expect(await record(claimed, { endedAtMs })).toBe('due-again');
      const event = await readEvent(database, 'evt_0');
      expect(event).toMatchObject({ state: 'pending', underWay: false });
      nowMs = event.nextAttemptAtMs ?? Number.NaN;
      waitsSeconds.push((nowMs - endedAtMs) / 1000);
    }
    expect(waitsSeconds).toEqual(retryScheduleSeconds);
    expect(waitsSeconds.reduce((sum, wait) => sum + wait)).toBe(24 * 3600 + 3 * 60 + 50);
    expect(await record(await claimAt(nowMs), { endedAtMs: nowMs + 250 })).toBe('dead');
    expect(await readEvent(database, 'evt_0')).toMatchObject({
      state: 'dead',
      attempts: 16,
      nextAttemptAtMs: null,
    });
    const attempts = await readAttempts(database, 'evt_0');
    expect(attempts.map((attempt) => attempt.attempt)).toEqual(Array.from({ length: 16 }, (_, i) => i + 1));
    expect(attempts[15]).toMatchObject({ outcome: 'http-status', httpStatus: 500, durationMs: 250 });
  });

  it('stands higher after an attempt that was lost', async () => {
    await insertTestEvents(database, [{}]);
    await claimAt(EVENTS_AT_MS);
    const second = await claimAt(SECOND_AT_MS);
    await record(second, { endedAtMs: EVENTS_AT_MS + 40_000 });
    expect((await readEvent(database, 'evt_0')).nextAttemptAtMs).toBe(EVENTS_AT_MS + 40_000 + 15_000);
  });
});

describe('a success', () => {
  it('ends the event', async () => {
    await insertTestEvents(database, [{}]);
    const claimed = await claimAt(EVENTS_AT_MS);
    const success = { outcome: 'delivered', httpStatus: 200, endedAtMs: EVENTS_AT_MS + 300 } as const;
    expect(await record(claimed, success)).toBe('delivered');
    expect(await readEvent(database, 'evt_0')).toMatchObject({ state: 'delivered', nextAttemptAtMs: null });
    expect(await claimAt(EVENTS_AT_MS + 100 * LEASE_MS)).toBeUndefined();
  });

  it('is recorded once, however often it is reported', async () => {
    await insertTestEvents(database, [{}]);
    const claimed = await claimAt(EVENTS_AT_MS);
    const outcomes = await Promise.all(
      [1, 2, 3, 4].map(() =>
        record(claimed, { outcome: 'delivered', httpStatus: 200, endedAtMs: EVENTS_AT_MS }),
      ),
    );
    // Those that met while one of them held the event are asked to come again.
    expect(outcomes.filter((one) => one === 'delivered')).toHaveLength(1);
    expect(outcomes.filter((one) => one === 'known' || one === 'locked')).toHaveLength(3);
    const again = await record(claimed, { outcome: 'delivered', httpStatus: 200, endedAtMs: EVENTS_AT_MS });
    expect(again).toBe('known');
    expect(await readAttempts(database, 'evt_0')).toHaveLength(1);
  });

  it('counts even when its lease had run out and another attempt was under way', async () => {
    await insertTestEvents(database, [{}]);
    const first = await claimAt(EVENTS_AT_MS);
    const second = await claimAt(SECOND_AT_MS);
    const endedAtMs = SECOND_AT_MS + 10;
    expect(await record(first, { outcome: 'delivered', httpStatus: 200, endedAtMs })).toBe('delivered');
    expect(await record(second, { endedAtMs: endedAtMs + 10 })).toBe('superseded');
    expect((await readEvent(database, 'evt_0')).state).toBe('delivered');
    const outcomes = (await readAttempts(database, 'evt_0')).map((attempt) => attempt.outcome);
    expect(outcomes).toEqual(['delivered', 'http-status']);
  });

  it('revives a dead event into a delivered one', async () => {
    await insertTestEvents(database, [{}]);
    const claimed = await claimAt(EVENTS_AT_MS);
    await database.transact((tx) =>
      tx.write("UPDATE events SET state = 'dead', next_attempt_at_ms = NULL", []),
    );
    const late = { outcome: 'delivered', httpStatus: 200, endedAtMs: EVENTS_AT_MS + 1 } as const;
    expect(await record(claimed, late)).toBe('delivered');
  });

  it('from before a resend does not undo the resend', async () => {
    await insertTestEvents(database, [{}]);
    const old = await claimAt(EVENTS_AT_MS);
    await database.transact((tx) =>
      tx.write("UPDATE events SET state = 'dead', next_attempt_at_ms = NULL", []),
    );
    await database.transact((tx) => resendEvents(tx, { eventIds: ['evt_0'] }, EVENTS_AT_MS + 1));
    const late = { outcome: 'delivered', httpStatus: 200, endedAtMs: EVENTS_AT_MS + 2 } as const;
    expect(await record(old, late)).toBe('superseded');
    expect((await readEvent(database, 'evt_0')).state).toBe('pending');
  });
});

describe('a failure whose claim is not the newest', () => {
  it('is kept as an attempt and changes nothing else', async () => {
    await insertTestEvents(database, [{}]);
    const first = await claimAt(EVENTS_AT_MS);
    await claimAt(SECOND_AT_MS);
    const before = await readEvent(database, 'evt_0');
    expect(await record(first, { endedAtMs: SECOND_AT_MS + 1 })).toBe('superseded');
    expect(await readEvent(database, 'evt_0')).toEqual(before);
  });
});

describe('an attempt that nobody claimed', () => {
  it('is not recorded', async () => {
    await insertTestEvents(database, [{}]);
    const claimed = await claimAt(EVENTS_AT_MS);
    const invented = { ...claimed, attempt: 7 };
    expect(await record(invented, { outcome: 'delivered', endedAtMs: EVENTS_AT_MS })).toBe('known');
    expect((await readEvent(database, 'evt_0')).state).toBe('pending');
  });
});

describe('many ends at once', () => {
  const part = { tradeNo: 'ord_1', status: 'TO-BE-PAID', final: false };

  async function claimAll(nowMs: number): Promise<ReadonlyMap<string, ClaimedDelivery>> {
    const limits = { nowMs, leaseMs: LEASE_MS, maxDeliveries: 99, maxPerApp: 99, maxPerReceiver: 99 };
    const { deliveries } = await claimDeliveries(database, { ...limits, underWay: [], after: new Map() });
    return new Map(deliveries.map((delivery) => [delivery.eventId, delivery]));
  }

  it('each come to their own, in the order they are reported', async () => {
    await insertTestEvents(
      database,
      ['good', 'bad', 'gone'].map((eventId) => ({ eventId })),
    );
    const claimed = await claimAll(EVENTS_AT_MS);
    const endedAtMs = EVENTS_AT_MS + 40;
    const ends = [
      endOf({ ...claimed.get('gone')!, attempt: 9 }, { endedAtMs }),
      endOf(claimed.get('bad')!, { endedAtMs, startedAtMs: endedAtMs - 30 }),
      endOf(claimed.get('good')!, { endedAtMs, outcome: 'delivered', httpStatus: 200 }),
    ];
    const recorded = await database.transact((tx) => recordDeliveries(tx, ends));
    expect(recorded).toEqual(['known', 'due-again', 'delivered']);
    expect(await readEvent(database, 'good')).toMatchObject({ state: 'delivered', nextAttemptAtMs: null });
    expect(await readEvent(database, 'bad')).toMatchObject({ nextAttemptAtMs: endedAtMs + 5_000 });
    expect(await readEvent(database, 'gone')).toMatchObject({ underWay: true });
    expect(await readAttempts(database, 'bad')).toEqual([
      {
        eventId: 'bad',
        attempt: 1,
        startedAtMs: endedAtMs - 30,
        durationMs: 30,
        httpStatus: 500,
        outcome: 'http-status',
      },
    ]);
  });

  it('wake the next event of each order, and none that ends with them', async () => {
    await insertTestEvents(database, [
      { ...part, eventId: 'one' },
      { eventId: 'paid', tradeNo: 'ord_1', status: 'PAID', final: true, url: 'https://other.test/' },
      { ...part, eventId: 'three' },
      { ...part, tradeNo: 'ord_2', eventId: 'first' },
      { ...part, tradeNo: 'ord_2', eventId: 'second' },
    ]);
    const claimed = await claimAll(EVENTS_AT_MS);
    expect([...claimed.keys()].toSorted()).toEqual(['first', 'one', 'paid']);
    const endedAtMs = EVENTS_AT_MS + 40;
    const success = { endedAtMs, outcome: 'delivered', httpStatus: 200 } as const;
    const ends = [...claimed.values()].map((one) => endOf(one, success));
    expect(await database.transact((tx) => recordDeliveries(tx, ends))).toEqual(
      Array.from({ length: 3 }, () => 'delivered'),
    );
    expect((await readEvent(database, 'three')).nextAttemptAtMs).toBe(endedAtMs);
    expect((await readEvent(database, 'second')).nextAttemptAtMs).toBe(endedAtMs);
    expect((await readEvent(database, 'paid')).state).toBe('delivered');
  });

  it('are refused where two are of one event', async () => {
    await insertTestEvents(database, [{}]);
    const end = endOf(await claimAt(EVENTS_AT_MS), { endedAtMs: EVENTS_AT_MS });
    await expect(database.transact((tx) => recordDeliveries(tx, [end, end]))).rejects.toThrow('one end');
  });
});

describe('an event that another transaction holds', () => {
  it('is reported as locked and left as it was, while the others are recorded', async () => {
    await insertTestEvents(database, [{ eventId: 'held' }, { eventId: 'free' }]);
    const claims = [await claimAt(EVENTS_AT_MS), await claimAt(EVENTS_AT_MS)];
    const held = claims.find(({ eventId }) => eventId === 'held')!;
    const free = claims.find(({ eventId }) => eventId === 'free')!;
    const ends = [held, free].map((one) =>
      endOf(one, { endedAtMs: EVENTS_AT_MS + 5, outcome: 'delivered', httpStatus: 200 }),
    );
    await database.transact(async (holding) => {
      await holding.write(`SELECT FROM events WHERE event_id = 'held' FOR UPDATE`, []);
      expect(await database.transact((tx) => recordDeliveries(tx, ends))).toEqual(['locked', 'delivered']);
    });
    expect(await readEvent(database, 'held')).toMatchObject({ state: 'pending', underWay: true });
    expect(await database.transact((tx) => recordDeliveries(tx, ends))).toEqual(['delivered', 'known']);
  });

  it('holds up nobody as the next of an order either', async () => {
    await insertTestEvents(database, [
      { eventId: 'first', tradeNo: 'ord', final: false },
      { eventId: 'second', tradeNo: 'ord', final: false },
    ]);
    const claimed = await claimAt(EVENTS_AT_MS);
    await claimAt(EVENTS_AT_MS);
    await database.transact(async (holding) => {
      await holding.write(`SELECT FROM events WHERE event_id = 'second' FOR UPDATE`, []);
      const end = { endedAtMs: EVENTS_AT_MS + 5, outcome: 'delivered', httpStatus: 200 } as const;
      expect(await record(claimed, end)).toBe('delivered');
    });
  });
});

describe('a clock that was far off', () => {
  it('cannot keep an end from being recorded', async () => {
    await insertTestEvents(database, [{}]);
    const claimed = await claimAt(EVENTS_AT_MS);
    const end = { startedAtMs: 0, endedAtMs: EVENTS_AT_MS, outcome: 'delivered', httpStatus: 200 } as const;
    expect(await record(claimed, end)).toBe('delivered');
    expect(await readAttempts(database, 'evt_0')).toMatchObject([{ durationMs: 2_147_483_647 }]);
  });
});

describe('a failure of before a resend', () => {
  it('changes nothing, even though no claim was made since', async () => {
    await insertTestEvents(database, [{}]);
    await database.transact((tx) => tx.write('UPDATE events SET attempts = 15', []));
    const last = await claimAt(EVENTS_AT_MS);
    const limits = { leaseMs: LEASE_MS, maxDeliveries: 1, maxPerApp: 1, maxPerReceiver: 1 };
    const late = { nowMs: EVENTS_AT_MS + LEASE_MS + 1, underWay: [], after: new Map() };
    await claimDeliveries(database, { ...limits, ...late });
    expect(await readEvent(database, 'evt_0')).toMatchObject({ state: 'dead', attempts: 16 });
    await database.transact((tx) => resendEvents(tx, { eventIds: ['evt_0'] }, EVENTS_AT_MS + 31_000));
    expect(await record(last, { endedAtMs: EVENTS_AT_MS + 31_001 })).toBe('superseded');
    expect(await readEvent(database, 'evt_0')).toMatchObject({ state: 'pending' });
  });
});
