// The operator's port: what is ready, what is not, and that a chain that stands still is reported without a 503.
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest';
import { waitUntil } from '@ducat/devnet/process/wait-until';
import { createMetrics } from '../../runtime/metrics/metrics.ts';
import { Outage } from '../../runtime/outage.ts';
import { resumeCurrency, suspendCurrency } from '../../db/tables/books/currency-suspensions.ts';
import { openTestDatabase, type TestDatabase } from '@ducat/testkit/database';
import { createHandClock } from '@ducat/testkit/hand-clock';
import { type Operations, type OperationsServer, serveOperations } from './operations.ts';

const NOW = 1_763_626_800;

let database: TestDatabase;
const servers: OperationsServer[] = [];
beforeAll(async () => {
  database = await openTestDatabase(inject('postgresAdminUrl'), 2);
  for (const chain of ['ETH', 'BSC']) {
    await database.transact((tx) =>
      tx.write(
        `INSERT INTO chain_cursors (chain, head_number, head_hash, head_time, updated_at_ms)
         VALUES ($1, 1000, '0xhead', $2, 0)`,
        [chain, NOW - 5],
      ),
    );
  }
});
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});
afterAll(() => database.drop());

async function serve(change: Partial<Operations> = {}): Promise<string> {
  const server = await serveOperations({
    host: '127.0.0.1',
    port: 0,
    reader: database.reader,
    answersCommits: database.answersCommits,
    metrics: createMetrics(),
    world: createHandClock(NOW * 1000),
    chains: ['ETH', 'BSC', 'WKC'],
    roundMs: 3_600_000,
    isRunning: () => true,
    ...change,
  });
  servers.push(server);
  return server.url;
}

async function readyz(url: string): Promise<{ status: number; body: unknown }> {
  const response = await fetch(`${url}/readyz`);
  return { status: response.status, body: await response.json() };
}

const change = (set: string) =>
  database.transact((tx) => tx.write(`UPDATE chain_cursors SET ${set} WHERE chain = 'ETH'`, []));

describe('/readyz of the operations port', () => {
  it('says 503 in time while the database gives no answer, and asks it once for all who ask here', async () => {
    const clock = createHandClock(NOW * 1000);
    let asked = 0;
    const silent = { read: () => new Promise<never>(() => void asked++) };
    const url = await serve({ world: clock, reader: silent });
    const answers = [1, 2, 3].map(() => readyz(url));
    await waitUntil('all to wait', () => clock.asked.length === 3);
    expect(Math.max(...clock.asked)).toBeLessThanOrEqual(2_000);
    clock.advance(2_000);
    for (const { status, body } of await Promise.all(answers)) {
      expect(status).toBe(503);
      expect(body).toMatchObject({ running: true, ready: false, database: false });
    }
    expect(asked).toBe(1);
    const late = readyz(url);
    await waitUntil('the next to wait', () => clock.asked.length === 4);
    clock.advance(2_000);
    expect([(await late).status, asked]).toEqual([503, 1]);
  });

  it('lists every chain that is on, also one that was not read yet', async () => {
    const running = { ready: true, head: 1000, headAgeS: 5, haltedReason: null };
    expect(await readyz(await serve())).toEqual({
      status: 200,
      body: {
        running: true,
        ready: true,
        database: true,
        chains: {
          ETH: running,
          BSC: running,
          WKC: { ready: false, head: null, headAgeS: null, haltedReason: null },
        },
        suspended: [],
      },
    });
  });

  it('stays ready while one chain is halted or old, and says which and why', async () => {
    const url = await serve();
    await change(`halted_reason = 'a fork below the final height'`);
    expect(await readyz(url)).toMatchObject({
      status: 200,
      body: { chains: { ETH: { ready: false, haltedReason: 'a fork below the final height' } } },
    });
    await change(`halted_reason = NULL, head_time = ${NOW - 301}`);
    expect(await readyz(url)).toMatchObject({
      status: 200,
      body: { ready: true, chains: { ETH: { ready: false, headAgeS: 301 }, BSC: { ready: true } } },
    });
    await change(`head_time = ${NOW - 5}`);
  });

  it('lists suspended currencies with their reason', async () => {
    const suspended = { currencyId: 1001, reason: 'ledger and chain differ', sinceMs: 5 };
    await database.transact((tx) => suspendCurrency(tx, 1001, suspended.reason, suspended.sinceMs));
    expect((await readyz(await serve())).body).toMatchObject({ ready: true, suspended: [suspended] });
    await database.transact((tx) => resumeCurrency(tx, 1001));
  });

  it('is not ready while the database is away, or while the process starts or stops', async () => {
    const away = () => Promise.reject(new Outage('postgres://user:pw@db failed', { retryable: true }));
    const lost = await serve({ reader: { read: away } });
    expect(await readyz(lost)).toEqual({
      status: 503,
      body: { running: true, ready: false, database: false, chains: {}, suspended: [] },
    });
    expect((await fetch(`${lost}/healthz`)).status).toBe(200);
    expect((await fetch(`${lost}/metrics`)).status).toBe(200);
    const stopping = await serve({ isRunning: () => false });
    expect(await readyz(stopping)).toEqual({ status: 503, body: { ready: false, running: false } });
  });
});
