// Shows that a quick receiver costs few statements, and that one which stalls holds nothing but its own eight attempts.
import { chainsInUse } from '@ducat/testkit/chains-in-use';
import { waitUntil } from '@ducat/devnet/process/wait-until';
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest';
import type { Transact } from '../../db/postgres/tx.ts';
import { openTestDatabase, type TestDatabase } from '@ducat/testkit/database';
import {
  deleteEvents,
  EVENTS_AT_MS,
  insertEventApp,
  insertTestEvents,
  readEvent,
} from '@ducat/testkit/events';
import { createHandClock } from '@ducat/testkit/hand-clock';
import { runNotifier } from './notifier.ts';
import { defaultNotifierLimits } from './parts.ts';
import type { Post, PostAnswer } from './port.ts';

const DELIVERED: PostAnswer = { outcome: 'delivered', httpStatus: 200 };
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

/** A notifier; `quick.test` takes so many webhooks, each in a turn of the event loop, and then hangs. */
function run(takesAtFirst: number) {
  let takes = takesAtFirst;
  const clock = createHandClock(EVENTS_AT_MS);
  const delivered: string[] = [];
  const held: ((answer: PostAnswer) => void)[] = [];
  const seen = { transactions: 0, atOnce: 0, mostAtOnce: 0 };
  const transact: Transact = (flow, shape) => {
    seen.transactions += 1;
    return database.transact(flow, shape);
  };
  const post: Post = async ({ url, body }) => {
    if (new URL(url).hostname === 'quick.test' && delivered.length >= takes) {
      const answer = await new Promise<PostAnswer>((resolve) => held.push(resolve));
      if (answer === DELIVERED) delivered.push(body);
      return answer;
    }
    delivered.push(body);
    seen.mostAtOnce = Math.max(seen.mostAtOnce, (seen.atOnce += 1));
    await new Promise(setImmediate);
    seen.atOnce -= 1;
    return DELIVERED;
  };
  const stopping = new AbortController();
  const observer = {
    onAttempt: () => undefined,
    onDied: () => undefined,
    onBroken: () => undefined,
    onTrouble: () => undefined,
  };
  const keys = { appKey: () => Promise.resolve('key') };
  const ended = runNotifier(
    {
      transact,
      reader: database.reader,
      world: clock,
      idle: chainsInUse,
      post,
      keys,
      observer,
      limits: defaultNotifierLimits,
    },
    stopping.signal,
  );
  const stop = async () => {
    stopping.abort();
    for (const release of held.splice(0)) release(TIMEOUT);
    await ended;
  };
  const takeMore = () => {
    takes += held.length;
    for (const answer of held.splice(0)) answer(DELIVERED);
  };
  stops.push(stop);
  return { clock, delivered, held, seen, stop, takeMore };
}

function eventsAt(host: string, count: number) {
  return Array.from({ length: count }, (_, place) => ({
    eventId: `${host}-${place}`,
    url: `https://${host}/`,
    body: `${host}-${place}`,
  }));
}

async function countOf(where: string): Promise<number> {
  const sql = `SELECT count(*)::integer AS events FROM events WHERE ${where}`;
  const [row] = await database.reader.read<{ events: number }>(sql, []);
  return row?.events ?? Number.NaN;
}

describe('a receiver that takes webhooks quickly', () => {
  it('is sent each once, eight at a time, with several webhooks for each statement', async () => {
    const ids = await insertTestEvents(database, eventsAt('quick.test', 1_000));
    const { delivered, seen } = run(1_000);
    await waitUntil('all to be delivered', () => delivered.length === 1_000);
    await waitUntil('all to be recorded', async () => (await countOf(`state = 'delivered'`)) === 1_000);
    expect(delivered.toSorted()).toEqual([...ids].toSorted());
    expect(seen.mostAtOnce).toBe(8);
    expect(seen.transactions).toBeLessThan(250);
    expect(await countOf('attempts <> 1')).toBe(0);
  });

  it('and then stalls holds eight attempts; what was prefetched is released, and others are served', async () => {
    await insertTestEvents(database, eventsAt('quick.test', 1_000));
    const { clock, delivered, held, takeMore } = run(200);
    // Before the clock moves: what waits for two seconds is released.
    await waitUntil('the receiver to stall while some are prefetched', async () => {
      if (held.length < 8) return false;
      if ((await countOf('attempts = 1')) > delivered.length + 8) return true;
      // It stalled just when none were.
      takeMore();
      return false;
    });
    const quick = delivered.length;
    await waitUntil('what was quick to be recorded', async () => {
      clock.advance(10);
      return (await countOf(`state = 'delivered'`)) === quick;
    });
    await insertTestEvents(database, eventsAt('other.test', 1));
    await waitUntil('the other to be delivered', () => {
      clock.advance(1);
      return delivered.includes('other.test-0');
    });
    await waitUntil('the rest to be released', async () => {
      clock.advance(100);
      return (await countOf(`attempts = 1 AND receiver = 'quick.test'`)) === quick + 8;
    });
    expect(clock.nowMs() - EVENTS_AT_MS).toBeLessThan(10_000);
    const attempts = await database.reader.read<{ attempts: number }>(
      'SELECT count(*)::integer AS attempts FROM delivery_attempts',
      [],
    );
    // What is held as well, and the other one.
    expect(attempts).toEqual([{ attempts: quick + 8 + 1 }]);
    expect(held).toHaveLength(8);
  });

  it('is sent nothing more after a stop, and what was prefetched is released at once', async () => {
    await insertTestEvents(database, eventsAt('quick.test', 1_000));
    const { held, stop } = run(200);
    await waitUntil('the receiver to stall', () => held.length === 8);
    await stop();
    expect(await countOf(`attempts = 1`)).toBe(208);
    expect(await countOf('leased_until_ms IS NOT NULL')).toBe(0);
    const [waiting] = await database.reader.read<{ eventId: string }>(
      `SELECT event_id AS "eventId" FROM events WHERE attempts = 0 LIMIT 1`,
      [],
    );
    expect(await readEvent(database, waiting!.eventId)).toMatchObject({ state: 'pending', attempts: 0 });
  });
});
