// Shows that templates are prepared once and that clones are independent and cheap to drop.
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cloneDatabase, createTemplate, startTestPostgres } from './test-database.ts';

let server: Awaited<ReturnType<typeof startTestPostgres>>;
beforeAll(async () => {
  server = await startTestPostgres();
}, 60_000);
afterAll(() => server.stop());

describe('createTemplate', () => {
  it('prepares once, however many ask at the same time', async () => {
    let calls = 0;
    const prepare = async (url: string) => {
      calls += 1;
      await run(url, 'create table item (n int)');
    };
    await Promise.all([1, 2, 3].map(() => createTemplate(server.adminUrl, 'shared_template', prepare)));
    expect(calls).toBe(1);
  });

  it('starts over after a preparation that failed', async () => {
    const failing = createTemplate(server.adminUrl, 'second_try', () =>
      Promise.reject(new Error('broken migration')),
    );
    await expect(failing).rejects.toThrow('broken migration');
    await createTemplate(server.adminUrl, 'second_try', (url) => run(url, 'create table item (n int)'));
    const clone = await cloneDatabase(server.adminUrl, 'second_try');
    expect(await rows(clone.url, 'select count(*)::int as n from item')).toEqual([{ n: 0 }]);
    await clone.drop();
  });
});

describe('cloneDatabase', () => {
  it('gives independent copies, also when made at the same time', async () => {
    await createTemplate(server.adminUrl, 'source', (url) => run(url, 'create table item (n int)'));
    const clones = await Promise.all([1, 2, 3, 4].map(() => cloneDatabase(server.adminUrl, 'source')));
    await run(clones[0]!.url, 'insert into item values (1)');
    expect(await rows(clones[0]!.url, 'select n from item')).toEqual([{ n: 1 }]);
    expect(await rows(clones[1]!.url, 'select n from item')).toEqual([]);
    await Promise.all(clones.map((clone) => clone.drop()));
    const left = await rows(server.adminUrl, "select datname from pg_database where datname like 'source_%'");
    expect(left).toEqual([]);
  });
});

async function rows(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

async function run(url: string, sql: string): Promise<void> {
  await rows(url, sql);
}
