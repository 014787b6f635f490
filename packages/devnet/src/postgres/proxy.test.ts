// Shows that a COMMIT is lost, or done without an answer, and that other connections do not notice.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import pg from 'pg';
import type { PostgresProxy } from './proxy.ts';
import { startPostgresProxy } from './proxy.ts';
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
] as const)('cuts %s the COMMIT, once, and the client gets no answer', async (where, rows) => {
  proxy.cutCommits(where, 1);
  const already = proxy.cuts().length;
  await expect(insert(1)).rejects.toThrow(/terminated|ECONNRESET/);
  expect(proxy.cuts().slice(already)).toEqual([{ where, writes: ['insert note'], isImplicit: false }]);
  expect(await select()).toEqual(rows);
  await insert(2);
  expect(await select()).toEqual([...rows, { n: 2 }]);
  await withClient((client) => client.query('delete from note'));
});

const alone = {
  'a simple query': { text: 'insert into note values (1)' },
  'a query with values': { text: 'insert into note values ($1)', values: [1] },
  'a prepared statement': { name: 'write', text: 'insert into note values ($1)', values: [1] },
  'a statement whose rows are more than one piece': {
    text: "with made as (insert into note values ($1) returning n) select repeat('x', 3000000), n from made",
    values: [1],
  },
};
describe.each(Object.entries(alone))('%s that stands alone', (_, query) => {
  it.each([
    ['before', []],
    ['after', [{ n: 1 }]],
  ] as const)('is cut %s it commits', async (where, rows) => {
    await withClient(async (client) => {
      // A prepared statement is only bound. A statement that only reads commits nothing.
      await client.query(query);
      await client.query('delete from note');
      const already = proxy.cuts().length;
      proxy.cutCommits(where, 1);
      await client.query('select n from note where n = $1 for update', [1]);
      await expect(client.query(query)).rejects.toThrow(/terminated|ECONNRESET/);
      expect(proxy.cuts().slice(already)).toEqual([{ where, writes: ['insert note'], isImplicit: true }]);
    });
    expect(await select()).toEqual(rows);
    await withClient((client) => client.query('delete from note'));
  });
});

it('inside of BEGIN, a statement is no COMMIT', async () => {
  const already = proxy.cuts().length;
  proxy.cutCommits('before', 1);
  await withClient(async (client) => {
    await client.query('begin');
    await client.query('insert into note values ($1)', [1]);
    await client.query('rollback');
  });
  expect(proxy.cuts().length).toBe(already);
  proxy.cutCommits('before', 0);
});

it('passes a refusal on, and cuts the next COMMIT in its place', async () => {
  await withClient(async (client) => {
    await client.query('insert into note values (1)');
    proxy.cutCommits('after', 1);
    await expect(client.query('insert into note values ($1)', [1])).rejects.toThrow(/duplicate key/);
    await expect(client.query('insert into note values ($1)', [2])).rejects.toThrow(/terminated|ECONNRESET/);
  });
  expect(await select()).toEqual([{ n: 1 }, { n: 2 }]);
  await withClient((client) => client.query('delete from note'));
});

it('cuts what is wanted and nothing else', async () => {
  const already = proxy.cuts().length;
  proxy.cutCommits('before', 1, ({ writes }) => writes.includes('update note'));
  await withClient(async (client) => {
    await client.query('insert into note values (1)');
    await client.query('insert into note values (1) on conflict (n) do update set n = 1');
    await expect(client.query('update note as old set n = $1', [2])).rejects.toThrow(/terminated|ECONNRESET/);
  });
  expect(proxy.cuts().slice(already)).toEqual([
    { where: 'before', writes: ['update note'], isImplicit: true },
  ]);
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
