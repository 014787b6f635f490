// Shows that a COMMIT is lost, or done without an answer, and that other connections do not notice.
import { afterAll, beforeAll, expect, it } from 'vitest';
import pg from 'pg';
import type { PostgresProxy } from './postgres-proxy.ts';
import { startPostgresProxy } from './postgres-proxy.ts';
import { startTestPostgres } from './test-database.ts';

let proxy: PostgresProxy;
let url: string;
let postgres: Awaited<ReturnType<typeof startTestPostgres>>;
beforeAll(async () => {
  postgres = await startTestPostgres();
  const admin = new URL(postgres.adminUrl);
  proxy = await startPostgresProxy(Number(admin.port));
  admin.port = String(proxy.port);
  url = admin.href;
  await withClient((client) => client.query('create table note (n int primary key)'));
});
afterAll(async () => {
  await proxy?.stop();
  await postgres?.stop();
});

it.each([
  ['before', []],
  ['after', [{ n: 1 }]],
] as const)('cuts %s the COMMIT, once, and the client is told nothing', async (where, rows) => {
  proxy.cutCommits(where, 1);
  const already = proxy.cutSoFar()[where];
  await expect(insert(1)).rejects.toThrow(/terminated|ECONNRESET/);
  expect(proxy.cutSoFar()[where]).toBe(already + 1);
  expect(await select()).toEqual(rows);
  await insert(2);
  expect(await select()).toEqual([...rows, { n: 2 }]);
  await withClient((client) => client.query('delete from note'));
});

async function insert(n: number): Promise<void> {
  await withClient(async (client) => {
    await client.query('BEGIN');
    await client.query('insert into note values ($1)', [n]);
    await client.query('COMMIT');
  });
}

async function select(): Promise<unknown[]> {
  return withClient(async (client) => (await client.query('select n from note order by n')).rows);
}

async function withClient<Result>(work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}
