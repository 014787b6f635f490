// Shows the whole notifier: retries to a real receiver, fairness, outages, stops and several of them at once.
import { chainsInUse } from '@ducat/testkit/chains-in-use';
import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { waitUntil } from '@ducat/devnet/process/wait-until';
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest';
import { Outage } from '../../runtime/outage.ts';
import type { Transact } from '../../db/postgres/tx.ts';
import { openTestDatabase, type TestDatabase } from '@ducat/testkit/database';
import {
  deleteEvents,
  EVENTS_AT_MS,
  insertEventApp,
  insertTestEvents,
  readAttempts,
  readEvent,
} from '@ducat/testkit/events';
import { createHandClock, type HandClock } from '@ducat/testkit/hand-clock';
import { runNotifier } from './notifier.ts';
import {
  type DeliveryReport,
  defaultNotifierLimits,
  type NotifierLimits,
  type NotifierParts,
} from './parts.ts';
import type { Post, PostAnswer, PostRequest } from './port.ts';
import { createPoster } from './http/post.ts';
import { parseAllowList } from './http/routable-address.ts';

const APP_KEY = 'key-of-app_1';
const DELIVERED: PostAnswer = { outcome: 'delivered', httpStatus: 200 };
const TIMEOUT: PostAnswer = { outcome: 'timeout', httpStatus: null };

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

interface Running {
  readonly clock: HandClock;
  readonly reports: DeliveryReport[];
  readonly troubles: string[];
  readonly ended: Promise<void>;
  /** Asks it to stop, without waiting. */
  readonly stop: () => void;
}

function run(
  post: Post,
  change: Partial<Omit<NotifierParts, 'limits'>> & {
    limits?: Partial<NotifierLimits>;
    clock?: HandClock;
  } = {},
): Running {
  const clock = change.clock ?? createHandClock(EVENTS_AT_MS);
  const [reports, troubles]: [DeliveryReport[], string[]] = [[], []];
  const stopping = new AbortController();
  const ended = runNotifier(
    {
      transact: database.transact,
      reader: database.reader,
      world: clock,
      idle: chainsInUse,
      post,
      keys: { appKey: () => Promise.resolve(APP_KEY) },
      observer: {
        onAttempt: (report) => reports.push(report),
        onDied: () => undefined,
        onBroken: () => undefined,
        onTrouble: (where) => troubles.push(where),
      },
      ...change,
      limits: { ...defaultNotifierLimits, ...change.limits },
    },
    stopping.signal,
  );
  // A test that expects the end to be bad looks at `ended` itself.
  ended.catch(() => undefined);
  stops.push(async () => {
    stopping.abort();
    const nudging = setInterval(() => clock.advance(60_000), 5);
    await ended.catch(() => undefined);
    clearInterval(nudging);
  });
  return { clock, reports, troubles, ended, stop: () => stopping.abort() };
}

/** A network in which some receivers hang until they are let go. */
function networkWith(hangs: (host: string) => boolean) {
  const held: { readonly host: string; release(answer: PostAnswer): void }[] = [];
  const delivered: string[] = [];
  const post: Post = ({ url, body }) => {
    const { hostname } = new URL(url);
    if (hangs(hostname)) {
      return new Promise((resolve) => held.push({ host: hostname, release: resolve }));
    }
    delivered.push(body);
    return Promise.resolve(DELIVERED);
  };
  stops.push(() => {
    for (const waiting of held) waiting.release(TIMEOUT);
    return Promise.resolve();
  });
  return { post, held, delivered };
}

function eventsAt(host: string, count: number) {
  return Array.from({ length: count }, (_, place) => ({
    eventId: `${host}-${place}`,
    url: `https://${host}/`,
    body: `${host}-${place}`,
  }));
}

interface Received {
  readonly body: string;
  readonly atMs: number;
  readonly headers: IncomingHttpHeaders;
}

/** A receiver on loopback that answers 503 and keeps what it got; and a network that leads to it. */
async function refusingReceiver(
  clock: HandClock,
): Promise<{ url: string; post: Post; got: readonly Received[] }> {
  const got: Received[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      got.push({ body: Buffer.concat(chunks).toString(), atMs: clock.nowMs(), headers: request.headers });
      response.writeHead(503).end('Success');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const poster = createPoster({
    resolve: () => Promise.reject(new Error('no name is asked for')),
    allowed: parseAllowList(['127.0.0.0/8']),
  });
  stops.push(() => {
    poster.close();
    return new Promise((resolve) => server.close(() => resolve()));
  });
  return { url: `http://127.0.0.1:${port}/hook`, post: poster.post, got };
}

describe('an event that nobody takes', () => {
  it('is sent sixteen times at the exact times, with the same bytes and a fresh valid signature each time', async () => {
    const clock = createHandClock(EVENTS_AT_MS);
    const { url, post, got } = await refusingReceiver(clock);
    const body = '{"out_trade_no":"注文 🛒"}';
    await insertTestEvents(database, [{ url, body }]);
    const { reports } = run(post, { clock });
    for (let attempt = 1; attempt < 16; attempt++) {
      await waitUntil(`attempt ${attempt} to be recorded`, () => reports.length === attempt);
      const { nextAttemptAtMs } = await readEvent(database, 'evt_0');
      clock.advance(nextAttemptAtMs! - clock.nowMs());
    }
    await waitUntil('the event to die', () => reports.length === 16);
    const last = { attempt: 16, outcome: 'http-status', httpStatus: 503, recorded: 'dead' };
    expect(reports[15]).toMatchObject(last);

    const minutes = [3, 10, 20, 30, 30, 30, 60, 180, 180, 180, 360, 360].map((wait) => wait * 60);
    const waits = got.slice(1).map(({ atMs }, place) => (atMs - got[place]!.atMs) / 1000);
    expect(waits).toEqual([5, 15, 30, ...minutes]);
    expect(got.map((attempt) => attempt.body)).toEqual(Array.from({ length: 16 }, () => body));
    expect(new Set(got.map(({ headers }) => headers['x-sign'])).size).toBe(16);
    expect(new Set(got.map(({ headers }) => headers['x-event-id']))).toEqual(new Set(['evt_0']));
    for (const { headers, atMs } of got) {
      const timestamp = String(Math.floor(atMs / 1000));
      const valid = createHmac('sha256', APP_KEY)
        .update(body + timestamp + APP_KEY)
        .digest('hex');
      expect(headers).toMatchObject({ 'x-timestamp': timestamp, 'x-sign': valid });
    }
  });
});

describe('fairness', () => {
  it('delivers to the others without any delay while one receiver is dead and one is slow', async () => {
    const { post, held, delivered } = networkWith((host) => host !== 'alive.test');
    await insertTestEvents(database, [
      ...eventsAt('dead.test', 100),
      ...eventsAt('slow.test', 100),
      ...eventsAt('alive.test', 100),
    ]);
    const { clock } = run(post, { limits: { maxUnderWay: 64, maxPerReceiver: 4 } });
    await waitUntil('all of the living receiver to be delivered', () => delivered.length === 100);
    // The hands of the clock have not moved: no timeout of the others was waited for.
    expect(clock.nowMs()).toBe(EVENTS_AT_MS);
    expect(held.filter(({ host }) => host === 'dead.test')).toHaveLength(4);
    expect(held.filter(({ host }) => host === 'slow.test')).toHaveLength(4);
  });

  it('gives the first free place to a receiver with nothing under way when the dead hold all places of their app', async () => {
    const { post, held, delivered } = networkWith((host) => host.startsWith('dead'));
    const dead = ['dead1.test', 'dead2.test', 'dead3.test', 'dead4.test'];
    await insertTestEvents(
      database,
      dead.flatMap((host) => eventsAt(host, 50)),
    );
    const { clock, reports } = run(post, { limits: { maxUnderWay: 48, maxPerReceiver: 4 } });
    await waitUntil('the dead to hold all places', () => held.length === 12);
    await insertTestEvents(database, [{ ...eventsAt('alive.test', 1)[0], createdAtMs: EVENTS_AT_MS }]);
    held[0]!.release(TIMEOUT);
    await waitUntil('the living receiver to be served', () => delivered.length === 1);
    expect(clock.nowMs()).toBe(EVENTS_AT_MS);
    expect(reports.length).toBeLessThanOrEqual(2);
  });
});

describe('fairness between merchants', () => {
  it('serves one at once while all the thousand receivers of another hang', async () => {
    const { post, held, delivered } = networkWith((host) => host.startsWith('evil'));
    await insertTestEvents(
      database,
      Array.from({ length: 1_000 }, (_, place) => eventsAt(`evil${place}.test`, 1)).flat(),
    );
    const { clock } = run(post, { limits: { maxUnderWay: 16 } });
    await waitUntil('the hanging receivers to hold a quarter of the places', () => held.length === 4);
    await insertTestEvents(database, [{ eventId: 'other', appId: 'app_2', body: 'other' }]);
    await waitUntil('the other merchant to be sent its webhook', () => {
      clock.advance(defaultNotifierLimits.pollMs / 100);
      return delivered.length === 1;
    });
    expect(clock.nowMs() - EVENTS_AT_MS).toBeLessThanOrEqual(2 * defaultNotifierLimits.pollMs);
    expect(held).toHaveLength(4);
  });
});

describe('the order of events', () => {
  it('is kept per order, however slow the receiver is', async () => {
    const { post, held, delivered } = networkWith((host) => host === 'slow.test');
    const partial = { tradeNo: 'ord_1', status: 'TO-BE-PAID', final: false, url: 'https://slow.test/' };
    await insertTestEvents(database, [
      { ...partial, eventId: 'one' },
      { ...partial, eventId: 'two' },
      { eventId: 'other', body: 'other', url: 'https://alive.test/' },
    ]);
    const { reports } = run(post);
    await waitUntil('the webhook of the other order', () => reports.length === 1);
    expect(delivered).toEqual(['other']);
    await waitUntil('the first event to be under way', () => held.length === 1);
    expect((await readEvent(database, 'two')).attempts).toBe(0);
    held[0]!.release(DELIVERED);
    await waitUntil('the second event to be under way', () => held.length === 2);
    held[1]!.release(DELIVERED);
    await waitUntil('all to be recorded', () => reports.length === 3);
    expect(reports.map((report) => report.eventId)).toEqual(['other', 'one', 'two']);
  });
});

describe('several notifiers', () => {
  it('deliver each event once', async () => {
    const { post, delivered } = networkWith(() => false);
    const ids = await insertTestEvents(database, [...eventsAt('a.test', 100), ...eventsAt('b.test', 100)]);
    const all = [1, 2, 3].map(() => run(post, { limits: { maxUnderWay: 6, maxPerReceiver: 3 } }));
    // A claim that met only locked rows looks again after its usual rest.
    await waitUntil('all to be delivered', () => {
      for (const { clock } of all) clock.advance(1_000);
      return all.flatMap(({ reports }) => reports).length >= 200;
    });
    expect(delivered.toSorted()).toEqual([...ids].toSorted());
  });
});

describe('an outage of the database', () => {
  function failing(times: number, fails: (call: number) => boolean = () => true): Transact {
    let calls = 0;
    let failed = 0;
    return (flow) => {
      calls += 1;
      if (failed < times && fails(calls)) {
        failed += 1;
        return Promise.reject(new Outage('the database cannot be reached', { retryable: true }));
      }
      return database.transact(flow);
    };
  }

  it('is waited out with growing pauses', async () => {
    await insertTestEvents(database, [{}]);
    const { post, delivered } = networkWith(() => false);
    const { clock, troubles } = run(post, { transact: failing(4) });
    for (let failures = 1; failures <= 4; failures++) {
      await waitUntil('the pause', () => clock.asked.length === failures);
      clock.advance(clock.asked[failures - 1]!);
    }
    await waitUntil('the delivery', () => delivered.length === 1);
    expect(clock.asked.slice(0, 4)).toEqual([250, 500, 1_000, 2_000]);
    expect(troubles).toEqual(['claim', 'claim', 'claim', 'claim']);
  });

  it('does not lose the answer of an attempt', async () => {
    await insertTestEvents(database, [{}]);
    const { post, delivered } = networkWith(() => false);
    // The first call claims; all that follow, claims and records alike, fail for a while.
    const { clock, reports } = run(post, { transact: failing(6, (call) => call > 1) });
    await waitUntil('the record', () => {
      clock.advance(250);
      return reports.length === 1;
    });
    expect(reports[0]).toMatchObject({ outcome: 'delivered', recorded: 'delivered' });
    expect(delivered).toHaveLength(1);
  });
});

describe('what goes wrong on our side', () => {
  it('costs an attempt and nothing else', async () => {
    await insertTestEvents(database, [{}]);
    const { post } = networkWith(() => false);
    const keys = { appKey: () => Promise.reject(new Error('the key does not open')) };
    const { reports, troubles } = run(post, { keys });
    await waitUntil('the record', () => reports.length === 1);
    expect(troubles).toEqual(['sign']);
    expect(await readAttempts(database, 'evt_0')).toMatchObject([{ outcome: 'not-signed' }]);
    expect((await readEvent(database, 'evt_0')).nextAttemptAtMs).toBe(EVENTS_AT_MS + 5_000);
  });

  it('does not lose the claim when the network side breaks its promise', async () => {
    await insertTestEvents(database, [{}]);
    const { reports, troubles } = run(() => Promise.reject(new Error('broken')));
    await waitUntil('the record', () => reports.length === 1);
    expect(troubles).toEqual(['post']);
    expect(reports[0]).toMatchObject({ outcome: 'connection-failed', recorded: 'due-again' });
  });

  it('stops the notifier when it is a bug of more than one webhook', async () => {
    await insertTestEvents(database, [{}]);
    const { post } = networkWith(() => false);
    let calls = 0;
    const transact: Transact = (flow) => {
      calls += 1;
      return calls >= 2 ? Promise.reject(new Error('no such column')) : database.transact(flow);
    };
    const { ended } = run(post, { transact });
    await expect(ended).rejects.toThrow('no such column');
  });
});

describe('a stop', () => {
  it('waits for what is under way and claims nothing more', async () => {
    const { post, held } = networkWith(() => true);
    await insertTestEvents(database, eventsAt('slow.test', 3));
    const { reports, ended, stop } = run(post, { limits: { maxPerReceiver: 2 } });
    await waitUntil('two attempts to be under way', () => held.length === 2);
    stop();
    for (const attempt of held) attempt.release(DELIVERED);
    await ended;
    expect(reports.map((report) => report.recorded)).toEqual(['delivered', 'delivered']);
    expect(await readEvent(database, 'slow.test-2')).toMatchObject({ state: 'pending', attempts: 0 });
  });

  it('abandons what takes too long, which comes back after its lease and the wait of its attempt', async () => {
    const { post, held } = networkWith(() => true);
    await insertTestEvents(database, eventsAt('slow.test', 1));
    const first = run(post);
    await waitUntil('the attempt to be under way', () => held.length === 1);
    first.stop();
    await waitUntil('the grace to begin', () => first.clock.asked.includes(defaultNotifierLimits.graceMs));
    first.clock.advance(defaultNotifierLimits.graceMs);
    await first.ended;
    held[0]!.release(DELIVERED);
    expect(first.reports).toEqual([]);

    const second = run(() => Promise.resolve(DELIVERED), { clock: first.clock });
    await waitUntil('the next notifier to rest', () => first.clock.asked.length >= 3);
    expect(second.reports).toEqual([]);
    first.clock.advance(defaultNotifierLimits.leaseMs + 5_000 - defaultNotifierLimits.graceMs);
    await waitUntil('the second attempt', () => second.reports.length === 1);
    expect(second.reports[0]).toMatchObject({ attempt: 2, recorded: 'delivered' });
  });
});

describe('the rest between two claims', () => {
  it('ends when the next event falls due, and after a fifth of a second at the latest', async () => {
    await insertTestEvents(database, [{ createdAtMs: EVENTS_AT_MS + 260 }]);
    const sent: PostRequest[] = [];
    const { clock } = run((request) => {
      sent.push(request);
      return Promise.resolve(DELIVERED);
    });
    await waitUntil('the first rest', () => clock.asked.length === 1);
    clock.advance(200);
    await waitUntil('the second rest', () => clock.asked.length === 2);
    clock.advance(60);
    await waitUntil('the attempt', () => sent.length === 1);
    expect(clock.asked.slice(0, 2)).toEqual([200, 60]);
    expect(sent[0]!.timeoutMs).toBe(10_000);
  });
});
