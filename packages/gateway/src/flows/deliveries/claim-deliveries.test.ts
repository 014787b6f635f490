// Shows who may claim which webhook, when, and that nobody gets one twice.
import { MAX_ATTEMPTS, retryScheduleSeconds } from '@ducat/core/webhook/schedule';
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest';
import type { NewEvent } from '../../db/tables/deliveries/outbox.ts';
import type { Database, Tx } from '../../db/postgres/tx.ts';
import { openTestDatabase, type TestDatabase } from '@ducat/testkit/database';
import {
  deleteEvents,
  EVENTS_AT_MS,
  insertEventApp,
  insertTestEvents,
  readAttempts,
  readEvent,
} from '@ducat/testkit/events';
import type { Queue } from '@ducat/core/webhook/fair-share';
import { type ClaimLimits, claimDeliveries } from './claim-deliveries.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase(inject('postgresAdminUrl'), 25);
  await insertEventApp(database);
  await insertEventApp(database, 'app_2', 2);
});
afterEach(() => deleteEvents(database));
afterAll(() => database.drop());

const LEASE_MS = 30_000;

function limitsWith(change: Partial<ClaimLimits>): ClaimLimits {
  return {
    nowMs: EVENTS_AT_MS,
    leaseMs: LEASE_MS,
    maxDeliveries: 100,
    maxPerApp: 100,
    maxPerReceiver: 8,
    underWay: [],
    after: new Map(),
    ...change,
  };
}

function busy(receiver: string, attempts: number, appId = 'app_1'): readonly Queue[] {
  return Array.from({ length: attempts }, () => ({ appId, receiver }));
}

function claim(change: Partial<ClaimLimits> = {}) {
  return claimDeliveries(database, limitsWith(change));
}

async function claimedIds(change: Partial<ClaimLimits> = {}): Promise<readonly string[]> {
  return (await claim(change)).deliveries.map((delivery) => delivery.eventId);
}

function eventsAt(url: string, prefix: string, count: number): readonly Partial<NewEvent>[] {
  return Array.from({ length: count }, (_, place) => ({ url, eventId: `${prefix}${place}` }));
}

/** One event at each of so many receivers. */
function hostsOf(appId: string, name: string, count: number): readonly Partial<NewEvent>[] {
  return Array.from({ length: count }, (_, place) => {
    const eventId = `${name}${String(place).padStart(4, '0')}`;
    return { appId, eventId, url: `https://${eventId}.test/` };
  });
}

describe('a claim', () => {
  it('gives everything that an attempt needs and counts it as made', async () => {
    await insertTestEvents(database, [{}]);
    expect(await claim()).toEqual({
      deliveries: [
        {
          eventId: 'evt_0',
          appId: 'app_1',
          tradeNo: 'ord_evt_0',
          status: 'PAID',
          url: 'https://shop.test/hook',
          receiver: 'shop.test',
          body: '{"event":"evt_0"}',
          attempt: 1,
          scheduledAttempt: 1,
          dueAtMs: EVENTS_AT_MS,
        },
      ],
      postponed: 0,
      died: 0,
      nextDueAtMs: null,
      resumeAfter: new Map(),
      searchGoesOn: false,
    });
    expect(await readEvent(database, 'evt_0')).toMatchObject({
      attempts: 1,
      underWay: true,
      state: 'pending',
    });
    expect(await readAttempts(database, 'evt_0')).toEqual([
      {
        eventId: 'evt_0',
        attempt: 1,
        startedAtMs: EVENTS_AT_MS,
        durationMs: null,
        httpStatus: null,
        outcome: 'unfinished',
      },
    ]);
  });

  it('leaves what is not due, not sent at all, or under way, and says when to look again', async () => {
    await insertTestEvents(database, [
      { eventId: 'later', createdAtMs: EVENTS_AT_MS + 700 },
      { eventId: 'silent', url: null },
    ]);
    expect(await claim()).toMatchObject({ deliveries: [], nextDueAtMs: EVENTS_AT_MS + 700 });
    expect(await claimedIds({ nowMs: EVENTS_AT_MS + 700 })).toEqual(['later']);
    expect(await claim({ nowMs: EVENTS_AT_MS + 701 })).toMatchObject({
      deliveries: [],
      nextDueAtMs: EVENTS_AT_MS + 700 + LEASE_MS + 5_000,
    });
  });

  it('is never given to two of twenty claimers', async () => {
    const events = Array.from({ length: 300 }, (_, place) => ({
      eventId: `evt_${place}`,
      url: `https://shop-${place % 7}.test/`,
    }));
    await insertTestEvents(database, events);
    const claimed: string[] = [];
    const claimUntilEmpty = async () => {
      for (let round = 0; round < 100; round++) {
        const ids = await claimedIds({ maxDeliveries: 5, maxPerReceiver: 3 });
        claimed.push(...ids);
        // An empty answer can mean that others hold the rows at this moment, so the last word is a count below.
        if (ids.length === 0 && claimed.length === events.length) return;
      }
    };
    await Promise.all(Array.from({ length: 20 }, claimUntilEmpty));
    expect(claimed).toHaveLength(300);
    expect(new Set(claimed).size).toBe(300);
    const counted = await database.reader.read<{ attempts: number; events: number }>(
      'SELECT attempts, count(*)::integer AS events FROM events GROUP BY attempts',
      [],
    );
    expect(counted).toEqual([{ attempts: 1, events: 300 }]);
  });
});

describe('fairness', () => {
  it('gives a receiver no more than it has room for', async () => {
    await insertTestEvents(database, [
      ...eventsAt('https://big.test/', 'big', 20),
      ...eventsAt('https://small.test/', 'small', 2),
    ]);
    const claims = await claim({ maxPerReceiver: 5, underWay: busy('big.test', 3) });
    expect(claims.deliveries.map((delivery) => delivery.eventId).toSorted()).toEqual([
      'big0',
      'big1',
      'small0',
      'small1',
    ]);
    expect(await claimedIds({ maxPerReceiver: 5, underWay: busy('big.test', 5) })).toEqual([]);
  });

  it('serves the receivers with the least under way first, then in turns', async () => {
    await insertTestEvents(database, [
      ...eventsAt('https://a.test/', 'a', 5),
      ...eventsAt('https://b.test/', 'b', 5),
      { eventId: 'c0', url: 'https://c.test/', createdAtMs: EVENTS_AT_MS + 5 },
    ]);
    const change = { nowMs: EVENTS_AT_MS + 5, underWay: busy('a.test', 2) };
    expect((await claimedIds({ ...change, maxDeliveries: 4 })).toSorted()).toEqual(['a0', 'b0', 'b1', 'c0']);
  });

  it('serves the apps with the least under way first, then in turns, whatever their receivers', async () => {
    await insertTestEvents(database, [
      ...hostsOf('app_1', 'evil', 6),
      ...hostsOf('app_2', 'shop', 2).map((event) => ({ ...event, createdAtMs: EVENTS_AT_MS + 5 })),
    ]);
    const change = { nowMs: EVENTS_AT_MS + 5, maxDeliveries: 4 };
    expect(await claimedIds(change)).toEqual(['evil0000', 'shop0000', 'evil0001', 'shop0001']);
    await insertTestEvents(database, hostsOf('app_2', 'more', 2));
    const underWay = busy('any.test', 3);
    expect(await claimedIds({ ...change, underWay })).toEqual([
      'more0000',
      'more0001',
      'evil0002',
      'evil0003',
    ]);
  });

  it('gives an app no more than its share, however many receivers it has', async () => {
    await insertTestEvents(database, hostsOf('app_1', 'evil', 300));
    await insertTestEvents(database, hostsOf('app_2', 'shop', 1));
    const first = await claim({ maxPerApp: 25 });
    expect(first.deliveries.filter(({ appId }) => appId === 'app_1')).toHaveLength(25);
    expect(first.deliveries.filter(({ appId }) => appId === 'app_2')).toHaveLength(1);
    expect(await claimedIds({ maxPerApp: 25, underWay: first.deliveries })).toEqual([]);
    expect(await claimedIds({ maxPerApp: 25, underWay: first.deliveries.slice(1) })).toHaveLength(1);
  });

  it('keeps apps apart that share a receiver', async () => {
    const url = 'https://hooks.test/';
    await insertTestEvents(database, eventsAt(url, 'slow', 400));
    await insertTestEvents(database, [{ eventId: 'other', appId: 'app_2', url }]);
    expect(await claimedIds({ underWay: busy('hooks.test', 8) })).toEqual(['other']);
  });

  it('finds all receivers of an app by going on where it stopped, and those of the others at once', async () => {
    await insertTestEvents(database, hostsOf('app_1', 'many', 450));
    const first = await claim({ maxDeliveries: 1_000, maxPerApp: 1_000 });
    expect(first.deliveries).toHaveLength(200);
    expect(first.resumeAfter).toEqual(new Map([['app_1', 'many0199.test']]));
    await insertTestEvents(database, hostsOf('app_2', 'a', 1));
    const second = await claim({ maxDeliveries: 1_000, maxPerApp: 1_000, after: first.resumeAfter });
    expect(second.deliveries.filter(({ appId }) => appId === 'app_1')).toHaveLength(200);
    expect(second.deliveries.filter(({ appId }) => appId === 'app_2')).toHaveLength(1);
    const third = await claim({ maxDeliveries: 1_000, maxPerApp: 1_000, after: second.resumeAfter });
    expect(third.deliveries).toHaveLength(50);
    expect(third.resumeAfter).toEqual(new Map());
  });

  it('costs no more when an app has five thousand receivers that hang', async () => {
    await insertTestEvents(database, hostsOf('app_2', 'shop', 8));
    const before = await rowsReadByClaim();
    await insertTestEvents(database, hostsOf('app_1', 'evil', 5_000));
    const after = await rowsReadByClaim();
    // What two hundred receivers cost, of which sixteen are served; five thousand would show.
    expect(after - before).toBeLessThan(1_000);
  });

  it('costs no more when a dead receiver has piled up ten thousand events', async () => {
    await insertTestEvents(database, eventsAt('https://alive.test/', 'alive', 100));
    const before = await rowsReadByClaim();
    await insertTestEvents(database, eventsAt('https://dead.test/', 'dead', 10_000));
    const after = await rowsReadByClaim();
    // What two receivers cost that give eight events each; ten thousand more would show.
    expect(before).toBeGreaterThan(8);
    expect(after).toBeLessThan(500);
  });
});

/** How many rows and index entries of `events` a claim reads, counted by PostgreSQL; the claim is undone. */
async function rowsReadByClaim(): Promise<number> {
  // Rows that earlier tests deleted would be counted as well.
  await database.reader.read('VACUUM ANALYZE events', []);
  let rows = 0;
  const undone = new Error('undone');
  const claimAndUndo = database.transact(async (tx) => {
    const before = await rowsRead(tx);
    await claimDeliveries(within(tx), limitsWith({ maxDeliveries: 16 }));
    rows = (await rowsRead(tx)) - before;
    throw undone;
  });
  await expect(claimAndUndo).rejects.toBe(undone);
  return rows;
}

/** Lets a flow run in a transaction that is open already. */
function within(tx: Tx): Pick<Database, 'transact' | 'reader'> {
  return { reader: tx, transact: (flow) => flow(tx) };
}

async function rowsRead(tx: Tx): Promise<number> {
  const [row] = await tx.read<{ rows: number }>(
    `SELECT sum(pg_stat_get_xact_tuples_returned(oid))::integer AS rows FROM (
       SELECT 'events'::regclass::oid AS oid
       UNION ALL SELECT indexrelid FROM pg_index WHERE indrelid = 'events'::regclass
     ) AS relations`,
    [],
  );
  return row?.rows ?? Number.NaN;
}

describe('a claim that nobody records', () => {
  it('is due again when its lease has ended and the wait of its attempt is over', async () => {
    await insertTestEvents(database, [{}]);
    await claim();
    const dueAtMs = EVENTS_AT_MS + LEASE_MS + 5_000;
    expect(await claim({ nowMs: dueAtMs - 1 })).toMatchObject({ deliveries: [], nextDueAtMs: dueAtMs });
    const again = await claim({ nowMs: dueAtMs });
    expect(again.deliveries).toMatchObject([{ eventId: 'evt_0', attempt: 2, scheduledAttempt: 2 }]);
    expect((await readAttempts(database, 'evt_0')).map((attempt) => attempt.outcome)).toEqual([
      'unfinished',
      'unfinished',
    ]);
  });

  it('uses the retry schedule up at its own pace, sixteen times over a day, and then the event is dead', async () => {
    await insertTestEvents(database, [{}]);
    let nowMs = EVENTS_AT_MS;
    for (const wait of retryScheduleSeconds) {
      expect((await claim({ nowMs })).deliveries).toHaveLength(1);
      nowMs += LEASE_MS + wait * 1000;
      expect((await claim({ nowMs: nowMs - 1 })).deliveries).toEqual([]);
    }
    expect((await claim({ nowMs })).deliveries).toMatchObject([{ attempt: MAX_ATTEMPTS }]);
    nowMs += LEASE_MS;
    expect(await claim({ nowMs: nowMs - 1 })).toMatchObject({ deliveries: [], died: 0 });
    expect(await claim({ nowMs })).toMatchObject({ deliveries: [], died: 1 });
    expect(await readEvent(database, 'evt_0')).toMatchObject({ state: 'dead', attempts: MAX_ATTEMPTS });
    expect(await claim({ nowMs })).toMatchObject({ deliveries: [], died: 0, nextDueAtMs: null });
  });

  it('lets a final event overtake once its lease has ended', async () => {
    await insertTestEvents(database, [
      { tradeNo: 'ord_1', status: 'TO-BE-PAID', final: false, eventId: 'one' },
      { tradeNo: 'ord_1', status: 'PAID', final: true, eventId: 'paid' },
    ]);
    expect(await claimedIds()).toEqual(['one']);
    expect(await claimedIds({ nowMs: EVENTS_AT_MS + LEASE_MS - 1 })).toEqual([]);
    expect(await claimedIds({ nowMs: EVENTS_AT_MS + LEASE_MS + LEASE_MS })).toContain('paid');
  });
});
