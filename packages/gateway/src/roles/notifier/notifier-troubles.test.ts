// Shows what the notifier does when clocks jump, rows are held, keys come late, and an address has no host.
import { chainsInUse } from '@ducat/testkit/chains-in-use';
import { waitUntil } from '@ducat/devnet/process/wait-until';
import { afterAll, afterEach, beforeAll, expect, inject, it } from 'vitest';
import { Outage } from '../../runtime/outage.ts';
import { openTestDatabase, type TestDatabase } from '@ducat/testkit/database';
import {
  deleteEvents,
  EVENTS_AT_MS,
  insertEventApp,
  insertTestEvents,
  readAttempts,
  readEvent,
} from '@ducat/testkit/events';
import { createHandClock } from '@ducat/testkit/hand-clock';
import { runNotifier } from './notifier.ts';
import { defaultNotifierLimits } from './parts.ts';
import type { Post, PostAnswer, SigningKeys } from './port.ts';

let database: TestDatabase;
const stops: (() => Promise<void>)[] = [];
beforeAll(async () => {
  database = await openTestDatabase(inject('postgresAdminUrl'));
  await insertEventApp(database);
  await insertEventApp(database, 'app_2', 2);
});
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
  await deleteEvents(database);
});
afterAll(() => database.drop());
const delivered: PostAnswer = { outcome: 'delivered', httpStatus: 200 };
const away = () => new Outage('away', { retryable: true });

/** Sleeps run on a clock that never goes back; `putBack` moves the wall clock alone. */
function run(post: Post, appKey: SigningKeys['appKey'] = () => Promise.resolve('key')) {
  const hand = createHandClock(EVENTS_AT_MS);
  let offMs = 0;
  const clock = { ...hand, nowMs: () => hand.nowMs() + offMs, putBack: (ms: number) => void (offMs -= ms) };
  const stopping = new AbortController();
  const observer = {
    onAttempt: () => undefined,
    onDied: () => undefined,
    onBroken: () => undefined,
    onTrouble: () => undefined,
  };
  const { transact, reader } = database;
  const limits = defaultNotifierLimits;
  const parts = {
    transact,
    reader,
    world: clock,
    idle: chainsInUse,
    post,
    keys: { appKey },
    observer,
    limits,
  };
  const ended = runNotifier(parts, stopping.signal);
  stops.push(async () => {
    stopping.abort();
    const nudging = setInterval(() => clock.advance(60_000), 5);
    await ended;
    clearInterval(nudging);
  });
  return { clock, stopping, ended };
}
interface Clock {
  advance(ms: number): void;
}

async function pass(clock: Clock, steps: number, ms: number) {
  for (let i = 0; i < steps; i++) {
    clock.advance(ms);
    await new Promise((r) => setTimeout(r, 5));
  }
}

/** Lets the clock go on until something happened, however long the machine takes for it. */
function passUntil(clock: Clock, what: string, happened: () => Promise<boolean> | boolean) {
  const goesOn = () => {
    clock.advance(100);
    return happened();
  };
  return waitUntil(what, goesOn, { everyMs: 10 });
}

it('an address without a host is tried', async () => {
  const posts: string[] = [];
  const { clock } = run(
    ({ url }) => (posts.push(url), Promise.resolve({ outcome: 'refused-address', httpStatus: null })),
  );
  await insertTestEvents(database, [{ url: 'mailto:ops@shop.test' }]);
  await passUntil(clock, 'tried', () => posts.length > 0);
  expect(posts).toContain('mailto:ops@shop.test');
});

it('a paused app comes back though the clock was put back', async () => {
  const posts: string[] = [];
  let failing = true;
  let asked = 0;
  const { clock } = run(
    ({ body }) => (posts.push(body), Promise.resolve(delivered)),
    (appId) => {
      asked += 1;
      return appId === 'app_1' && failing ? Promise.reject(away()) : Promise.resolve('key');
    },
  );
  await insertTestEvents(database, [{ eventId: 'one' }]);
  await passUntil(clock, 'asked', () => asked > 0);
  failing = false;
  clock.putBack(3_600_000);
  const createdAtMs = clock.nowMs();
  await insertTestEvents(database, [
    { eventId: 'a', body: 'app_1', createdAtMs },
    { eventId: 'b', appId: 'app_2', body: 'app_2', createdAtMs },
  ]);
  await passUntil(clock, 'both sent', () => posts.length >= 2);
  expect(posts.sort()).toEqual(['app_1', 'app_2']);
});

it('nothing is sent after a stop and then forgotten', async () => {
  let posts = 0;
  let giveKey: (key: string) => void = () => undefined;
  const { clock, stopping, ended } = run(
    () => ((posts += 1), clock.sleep(9_000).then(() => delivered)),
    () => new Promise((resolve) => (giveKey = resolve)),
  );
  await insertTestEvents(database, [{ eventId: 'one' }]);
  await passUntil(clock, 'claimed', async () => (await readEvent(database, 'one')).underWay);
  await pass(clock, 2, 1);
  stopping.abort();
  await pass(clock, 4, 1_000);
  giveKey('key');
  let hasEnded = false;
  void ended.then(() => (hasEnded = true));
  await passUntil(clock, 'ended', () => hasEnded);
  expect(posts === 0 || (await readEvent(database, 'one')).state === 'delivered').toBe(true);
});

it('a jump of the clock does not send what is being sent', async () => {
  let posts = 0;
  let answer = () => undefined as void;
  const { clock } = run(() => {
    posts += 1;
    return new Promise((resolve) => {
      const before = answer;
      answer = () => (before(), resolve(delivered));
    });
  });
  await insertTestEvents(database, [{ eventId: 'one' }]);
  await passUntil(clock, 'sent', () => posts === 1);
  clock.advance(36_000);
  await pass(clock, 20, 200);
  answer();
  await passUntil(clock, 'delivered', async () => (await readEvent(database, 'one')).state === 'delivered');
  expect(posts).toBe(1);
});

it('a claim whose row is held for a moment is released later', async () => {
  let failing = true;
  let asked = 0;
  let fail = () => undefined as void;
  const { clock } = run(
    () => Promise.resolve(delivered),
    () => {
      asked += 1;
      return failing ? new Promise((_, reject) => (fail = () => reject(away()))) : Promise.resolve('key');
    },
  );
  await insertTestEvents(database, [{ eventId: 'one' }]);
  await passUntil(clock, 'asked', () => asked === 1);
  await database.transact(async (tx) => {
    await tx.write(`SELECT FROM events WHERE event_id = 'one' FOR NO KEY UPDATE`, []);
    failing = false;
    fail();
    await pass(clock, 20, 10);
  });
  await passUntil(clock, 'delivered', async () => (await readEvent(database, 'one')).state === 'delivered');
  expect(await readAttempts(database, 'one')).toMatchObject([{ attempt: 1, outcome: 'delivered' }]);
});

it('a failed attempt waits by the retry schedule though its process stood still past its lease', async () => {
  const sentAtMs: number[] = [];
  let answer: (answered: PostAnswer) => void = () => undefined;
  const { clock } = run(() => {
    sentAtMs.push(clock.nowMs());
    return new Promise((resolve) => {
      answer = resolve;
    });
  });
  await insertTestEvents(database, [{ eventId: 'one' }]);
  await passUntil(clock, 'the first', () => sentAtMs.length === 1);
  clock.advance(36_000);
  await waitUntil('it to be claimed again', async () => (await readAttempts(database, 'one')).length === 2);
  const failedAtMs = clock.nowMs();
  answer({ outcome: 'connection-failed', httpStatus: null });
  await passUntil(clock, 'the second', () => sentAtMs.length === 2);
  answer(delivered);
  expect((sentAtMs[1] ?? 0) - failedAtMs).toBeGreaterThanOrEqual(5_000);
});
