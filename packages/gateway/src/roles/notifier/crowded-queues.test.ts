// Shows that the notifier serves those behind hundreds of dead receivers, and does not spin over held events or none.
import { chainsInUse } from '@ducat/testkit/chains-in-use';
import { waitUntil } from '@ducat/devnet/process/wait-until';
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest';
import type { Reader } from '../../db/postgres/tx.ts';
import { openTestDatabase, type TestDatabase } from '@ducat/testkit/database';
import { deleteEvents, EVENTS_AT_MS, insertEventApp, insertTestEvents } from '@ducat/testkit/events';
import { createHandClock, type HandClock } from '@ducat/testkit/hand-clock';
import type { IdleChains } from '../../runtime/idle-chains.ts';
import { runNotifier } from './notifier.ts';
import { defaultNotifierLimits } from './parts.ts';
import type { Post, PostAnswer } from './port.ts';

const TIMEOUT: PostAnswer = { outcome: 'timeout', httpStatus: null };

let database: TestDatabase;
const stops: (() => Promise<void>)[] = [];
beforeAll(async () => {
  database = await openTestDatabase(inject('postgresAdminUrl'));
  await insertEventApp(database);
});
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
  await deleteEvents(database);
});
afterAll(() => database.drop());

/** How long the notifier rested each time; what waits for a key asks for seconds. */
function restsOf(clock: HandClock): readonly number[] {
  return clock.asked.filter((ms) => ms <= defaultNotifierLimits.pollMs);
}

/** A notifier whose receivers hang, all but `z-alive.test`. */
function run(idle: Pick<IdleChains, 'idleMs'> = chainsInUse) {
  const clock = createHandClock(EVENTS_AT_MS);
  const held: ((answer: PostAnswer) => void)[] = [];
  const delivered: string[] = [];
  /** When each search for due events began; nothing else is read. */
  const searchedAtMs: number[] = [];
  const reader: Reader = {
    read: (sql, values) => {
      searchedAtMs.push(clock.nowMs());
      return database.reader.read(sql, values);
    },
  };
  const post: Post = ({ url }) => {
    const { hostname } = new URL(url);
    if (hostname !== 'z-alive.test') return new Promise((resolve) => held.push(resolve));
    delivered.push(hostname);
    return Promise.resolve({ outcome: 'delivered', httpStatus: 200 });
  };
  const stopping = new AbortController();
  const ended = runNotifier(
    {
      transact: database.transact,
      reader,
      world: clock,
      idle,
      post,
      keys: { appKey: () => Promise.resolve('key') },
      observer: {
        onAttempt: () => undefined,
        onDied: () => undefined,
        onBroken: () => undefined,
        onTrouble: () => undefined,
      },
      limits: defaultNotifierLimits,
    },
    stopping.signal,
  );
  stops.push(async () => {
    stopping.abort();
    for (const release of held) release(TIMEOUT);
    await ended;
  });
  return { clock, held, delivered, searchedAtMs };
}

describe('two hundred dead receivers of one app', () => {
  it('leave the next free place to the healthy one behind them', async () => {
    const dead = Array.from({ length: 200 }, (_, place) => `dead${1_000 + place}.test`);
    await insertTestEvents(database, [
      ...dead.flatMap((host) =>
        Array.from({ length: 20 }, (_, place) => ({ url: `https://${host}/`, eventId: `${host}${place}` })),
      ),
      { url: 'https://z-alive.test/', eventId: 'alive' },
    ]);
    const { clock, held, delivered, searchedAtMs } = run();
    await waitUntil('the dead to hold all places of their app', () => held.length === 64);
    await waitUntil('the notifier to rest', () => restsOf(clock).length === 1);
    expect(searchedAtMs.length).toBeLessThan(5);
    held[0]?.(TIMEOUT);
    await waitUntil('the healthy one to be delivered', () => delivered.length === 1);
    expect(clock.nowMs()).toBe(EVENTS_AT_MS);
  });
});

describe('two thousand held events of one order', () => {
  it('cost a bounded number of claims in each second, and next to none once they are put off', async () => {
    await insertTestEvents(
      database,
      Array.from({ length: 2_000 }, (_, place) => ({
        eventId: `part${place}`,
        tradeNo: 'dust',
        status: 'TO-BE-PAID',
        final: false,
      })),
    );
    const { clock, searchedAtMs } = run();
    // The clock moves to the end of each rest, so what lies between two rests happens at once.
    for (let rests = 1; clock.nowMs() < EVENTS_AT_MS + 20_000; rests++) {
      await waitUntil('the notifier to rest', () => restsOf(clock).length === rests);
      clock.advance(restsOf(clock)[rests - 1] ?? Number.NaN);
    }
    const inSecond = Array.from(
      { length: 20 },
      (_, second) =>
        searchedAtMs.filter((atMs) => Math.floor((atMs - EVENTS_AT_MS) / 1_000) === second).length,
    );
    expect(Math.max(...inSecond)).toBeLessThanOrEqual(120);
    expect(Math.max(...inSecond.slice(5))).toBeLessThanOrEqual(7);
    expect(inSecond.reduce((sum, claims) => sum + claims)).toBeLessThan(390);
  });
});

describe('an empty outbox', () => {
  it('is looked at less often after a minute, until an event is sent', async () => {
    const { pollMs, calmPollMs } = defaultNotifierLimits;
    const { clock, delivered } = run();
    const restsAfter = async (ms: number) => {
      const before = clock.asked.length;
      clock.advance(ms);
      await waitUntil('the notifier to rest', () => clock.asked.length > before);
      return clock.asked.at(-1);
    };
    await waitUntil('the first rest', () => clock.asked.length === 1);
    expect(clock.asked).toEqual([pollMs]);
    expect(await restsAfter(59_000)).toBe(pollMs);
    expect(await restsAfter(1_000)).toBe(calmPollMs);
    await insertTestEvents(database, [{ url: 'https://z-alive.test/', eventId: 'after-a-while' }]);
    await restsAfter(calmPollMs);
    await waitUntil('the event to be delivered', () => delivered.length === 1);
    expect(clock.asked).toContain(calmPollMs);
    expect(clock.asked.slice(clock.asked.lastIndexOf(calmPollMs))).toContain(pollMs);
  });

  it('is looked at least often once all chains have been idle for ten seconds', async () => {
    const { pollMs, idlePollMs } = defaultNotifierLimits;
    let idleMs: number | null = null;
    const { clock } = run({ idleMs: () => Promise.resolve(idleMs) });
    const restWhenIdleFor = async (ms: number | null) => {
      idleMs = ms;
      const before = clock.asked.length;
      clock.advance(clock.asked.at(-1) ?? 0);
      await waitUntil('the notifier to rest', () => clock.asked.length > before);
      return clock.asked.at(-1);
    };
    await waitUntil('the first rest', () => clock.asked.length === 1);
    expect(await restWhenIdleFor(9_999)).toBe(pollMs);
    expect(await restWhenIdleFor(10_000)).toBe(idlePollMs);
    expect(await restWhenIdleFor(null)).toBe(pollMs);
  });
});
