// Shows what becomes of claims that cannot be sent: no attempt is spent, and nothing is sent that may be another's.
import { chainsInUse } from '@ducat/testkit/chains-in-use';
import { waitUntil } from '@ducat/devnet/process/wait-until';
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest';
import { Outage } from '../../runtime/outage.ts';
import { openTestDatabase, type TestDatabase } from '@ducat/testkit/database';
import {
  deleteEvents,
  EVENTS_AT_MS,
  insertEventApp,
  insertTestEvents,
  readAttempts,
} from '@ducat/testkit/events';
import { createHandClock } from '@ducat/testkit/hand-clock';
import { runNotifier } from './notifier.ts';
import { type DeliveryReport, defaultNotifierLimits } from './parts.ts';
import type { SigningKeys } from './port.ts';

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

/** A notifier with these keys, whose receivers all answer. */
function run(appKey: SigningKeys['appKey']) {
  const clock = createHandClock(EVENTS_AT_MS);
  const posts: string[] = [];
  const reports: DeliveryReport[] = [];
  const seen = { transactions: 0, troubles: 0 };
  const stopping = new AbortController();
  const ended = runNotifier(
    {
      transact: (flow, shape) => {
        seen.transactions += 1;
        return database.transact(flow, shape);
      },
      reader: database.reader,
      world: clock,
      idle: chainsInUse,
      post: ({ body }) => {
        posts.push(body);
        return Promise.resolve({ outcome: 'delivered', httpStatus: 200 });
      },
      keys: { appKey },
      observer: {
        onAttempt: (report) => reports.push(report),
        onDied: () => undefined,
        onBroken: () => undefined,
        onTrouble: () => void (seen.troubles += 1),
      },
      limits: defaultNotifierLimits,
    },
    stopping.signal,
  );
  stops.push(async () => {
    stopping.abort();
    const nudging = setInterval(() => clock.advance(60_000), 5);
    await ended;
    clearInterval(nudging);
  });
  return { clock, posts, reports, seen };
}

async function countOf(where: string): Promise<number> {
  const sql = `SELECT count(*)::integer AS events FROM events WHERE ${where}`;
  const [row] = await database.reader.read<{ events: number }>(sql, []);
  return row?.events ?? Number.NaN;
}

describe('a moment without keys', () => {
  it('costs no attempt: the app waits a moment, others do not, and nothing spins', async () => {
    const ids = Array.from({ length: 20 }, (_, place) => ({ eventId: `one${place}`, body: 'app_1' }));
    await insertTestEvents(database, ids);
    let away = true;
    const { clock, posts, reports, seen } = run((appId) => {
      if (appId === 'app_1' && away) return Promise.reject(new Outage('away', { retryable: true }));
      return Promise.resolve('key');
    });
    await waitUntil('the keys to be missed', () => seen.troubles > 0);
    await waitUntil('all to be given back', async () => {
      clock.advance(10);
      return (await countOf('attempts > 0')) === 0;
    });
    await insertTestEvents(database, [{ eventId: 'two', appId: 'app_2', body: 'app_2' }]);
    await waitUntil('the webhook of the other app', () => {
      clock.advance(10);
      return posts.length > 0;
    });
    expect(posts).toEqual(['app_2']);
    expect(seen.transactions).toBeLessThan(100);
    away = false;
    await waitUntil('all webhooks', () => {
      clock.advance(100);
      return posts.length === 21;
    });
    await waitUntil('all to be recorded', async () => (await countOf(`state = 'delivered'`)) === 21);
    expect(await countOf('attempts <> 1')).toBe(0);
    expect(reports.every(({ outcome }) => outcome === 'delivered')).toBe(true);
  });
});

describe('a key that takes too long', () => {
  it('is not waited for, and what is claimed again meanwhile is sent once', async () => {
    await insertTestEvents(database, [{ eventId: 'one' }]);
    const asked: ((key: string) => void)[] = [];
    const { clock, posts, seen } = run(() => new Promise((resolve) => asked.push(resolve)));
    await waitUntil('the key to be asked for', () => asked.length === 1);
    await waitUntil('the claim to be given back', async () => {
      clock.advance(500);
      return seen.troubles === 1;
    });
    await waitUntil('the key to be asked for again', () => {
      clock.advance(500);
      return asked.length === 2;
    });
    for (const answer of asked) answer('key');
    await waitUntil('one to be sent', () => posts.length > 0);
    await waitUntil('it to be recorded', async () => (await countOf(`state = 'delivered'`)) === 1);
    expect(posts).toHaveLength(1);
    expect(await readAttempts(database, 'one')).toMatchObject([{ attempt: 1, outcome: 'delivered' }]);
  });
});

describe('a claim that has little left of its lease', () => {
  it('is not sent but given back', async () => {
    await insertTestEvents(database, [{ eventId: 'one' }]);
    let late = true;
    const { clock, posts } = run(() => {
      // The clock of a process that was stopped for a while jumps in the middle of anything.
      if (late) clock.advance(20_001);
      late = false;
      return Promise.resolve('key');
    });
    await waitUntil('it to be sent', () => {
      clock.advance(100);
      return posts.length > 0;
    });
    await waitUntil('it to be recorded', async () => (await countOf(`state = 'delivered'`)) === 1);
    expect(await readAttempts(database, 'one')).toMatchObject([
      { attempt: 1, startedAtMs: expect.toSatisfy((atMs: number) => atMs > EVENTS_AT_MS + 20_000) },
    ]);
  });
});
