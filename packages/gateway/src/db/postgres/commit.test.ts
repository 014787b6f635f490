// A COMMIT counts only when it was answered without a doubt; what happened otherwise is unknown, and said so.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RunningPostgres, startPostgres } from '@ducat/devnet/postgres/postgres';
import { type PostgresProxy, startPostgresProxy } from '@ducat/devnet/postgres/proxy';
import { waitUntil } from '@ducat/devnet/process/wait-until';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Outage } from '../../runtime/outage.ts';
import { type Database, type FlowShape, openDatabase } from './tx.ts';

let folder: string;
let server: RunningPostgres;
let proxy: PostgresProxy;
let database: Database;
/** Past the proxy. */
let direct: Database;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'ducat-commit-'));
  server = await startPostgres({ dataDir: join(folder, 'data'), settings: { fsync: 'off' } });
  proxy = await startPostgresProxy(server.port);
  const url = new URL(server.url);
  url.port = String(proxy.port);
  database = openDatabase(url.href, 2);
  direct = openDatabase(server.url, 2);
  await direct.transact((tx) => tx.write('CREATE TABLE note (n integer PRIMARY KEY)', []));
});
afterAll(async () => {
  await database?.close();
  await direct?.close();
  await proxy?.stop();
  await server?.kill();
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(() => direct.transact((tx) => tx.write('DELETE FROM note', [])));

const write = (n: number, shape?: FlowShape) =>
  database.transact((tx) => tx.write('INSERT INTO note VALUES ($1) ON CONFLICT DO NOTHING', [n]), shape);
const written = async () =>
  (await direct.reader.read<{ n: number }>('SELECT n FROM note ORDER BY n', [])).map(({ n }) => n);

describe('a COMMIT', () => {
  it.each([
    ['before', 'BEGIN before it', undefined, []],
    ['after', 'BEGIN before it', undefined, [1]],
    ['before', 'a statement by itself', 'one-statement', []],
    ['after', 'a statement by itself', 'one-statement', [1]],
  ] as const)(
    'that is cut off %s it took effect, %s, is an outage, and doing it again is right',
    async (where, _, shape, there) => {
      proxy.cutCommits(where, 1);
      await expect(write(1, shape)).rejects.toBeInstanceOf(Outage);
      expect(await written()).toEqual(there);
      await write(1, shape);
      expect(await written()).toEqual([1]);
      expect(proxy.cuts().at(-1)).toMatchObject({ where, isImplicit: shape === 'one-statement' });
    },
  );

  it.each([
    ['warnings are sent', 'RESET'],
    // A role or an address may have turned them off for its sessions, and with them the only sign.
    ['the role wants no warnings', `SET client_min_messages = 'error'`],
  ])('whose wait for a standby was cancelled is an outage, also where %s', async (_, wanted) => {
    const role = `ALTER ROLE postgres ${wanted === 'RESET' ? 'RESET client_min_messages' : wanted}`;
    await direct.transact((tx) => tx.write(role, []));
    const fresh = openDatabase(server.url, 1);
    const [row] = await direct.reader.read<{ was: string }>(
      `SELECT current_setting('synchronous_standby_names') AS was`,
      [],
    );
    expect(row?.was).toBe('');
    await configure(`synchronous_standby_names = '*'`);
    try {
      // Our time limits must not be what cancels it: they end statements, not the wait of a COMMIT.
      const impatient = fresh.transact(async (tx) => {
        await tx.write(`SET LOCAL statement_timeout = '100ms'`, []);
        await tx.write('INSERT INTO note VALUES (1)', []);
      });
      const writing = impatient.then(
        () => 'committed',
        (error: unknown) => error,
      );
      const waiter = `FROM pg_stat_activity
        WHERE wait_event = 'SyncRep' AND clock_timestamp() - query_start > interval '1 second'`;
      await waitUntil(
        'the COMMIT to wait',
        async () => (await direct.reader.read(`SELECT ${waiter}`, [])).length > 0,
      );
      await direct.reader.read(`SELECT pg_cancel_backend(pid) ${waiter}`, []);
      expect(await writing).toBeInstanceOf(Outage);
    } finally {
      await configure(`synchronous_standby_names = ''`);
      await fresh.close();
      await direct.transact((tx) => tx.write('ALTER ROLE postgres RESET client_min_messages', []));
    }
    expect(await written()).toEqual([1]);
  });

  it('of a flow that went on after a failed statement is an error, since nothing was written', async () => {
    await write(1);
    const flow = database.transact(async (tx) => {
      await tx.write('INSERT INTO note VALUES (2)', []);
      await tx.write('INSERT INTO note VALUES (1)', []).catch(() => undefined);
    });
    await expect(flow).rejects.toThrow(/nothing was written/);
    expect(await written()).toEqual([1]);
  });
});

/** Sets it and waits until connections have notices of it. */
async function configure(setting: string): Promise<void> {
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  await client.query(`ALTER SYSTEM SET ${setting}`);
  await client.query('SELECT pg_reload_conf()');
  const [name, value] = setting.split(' = ');
  await waitUntil('the setting to hold', async () => {
    const { rows } = await client.query<{ now: string }>('SELECT current_setting($1) AS now', [name]);
    return `'${rows[0]?.now}'` === value;
  });
  // COMMITs wait for a standby once the checkpointer has read the setting. It reads it before it makes the next checkpoint.
  await client.query('CHECKPOINT');
  await client.end();
}
