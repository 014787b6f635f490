// A COMMIT that waits for its standby is not a frozen holder: ending it would show what no standby has.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RunningPostgres, startPostgres } from '@ducat/devnet/postgres/postgres';
import { waitUntil } from '@ducat/devnet/process/wait-until';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Outage } from '../../runtime/outage.ts';
import { holdsLease, readLease } from '../../db/tables/leases.ts';
import { migrate } from '../../db/postgres/migrations/migrate.ts';
import { type Database, openDatabase } from '../../db/postgres/tx.ts';
import { endFrozenHolder } from './end-frozen-holder.ts';
import { takeLease } from './take-lease.ts';

const name = 'watch-ETH';
let folder: string;
let server: RunningPostgres;
/** Its COMMITs wait for a standby that never comes. */
let database: Database;
let unwaiting: Database;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'ducat-standby-'));
  const settings = { fsync: 'off', synchronous_standby_names: 'nobody' };
  server = await startPostgres({ dataDir: join(folder, 'data'), settings });
  database = openDatabase(server.url, 4);
  unwaiting = openDatabase(`${server.url}?options=-c%20synchronous_commit%3Dlocal`, 2);
  await migrate(unwaiting, 0);
});
afterAll(async () => {
  await Promise.all([database?.close(), unwaiting?.close()]);
  await server?.kill();
  rmSync(folder, { recursive: true, force: true });
});

async function waiting(): Promise<number> {
  const rows = await database.reader.read("SELECT 1 FROM pg_stat_activity WHERE wait_event = 'SyncRep'", []);
  return rows.length;
}

it('leaves a COMMIT alone that waits for its standby', async () => {
  const token = await unwaiting.transact((tx) => takeLease(tx, { name, holder: 'a', dead: null, nowMs: 0 }));
  const committing = database.transact(async (tx) => {
    expect(await holdsLease(tx, name, { token: token ?? 0, holder: 'a' })).toBe(true);
    return tx.write("UPDATE leases SET taken_at_ms = 7 WHERE name = 'watch-ETH' RETURNING token", []);
  });
  await waitUntil('the COMMIT to wait for its standby', async () => (await waiting()) === 1);
  const dead = await readLease(database.reader, name);
  if (dead === null) throw new Error('nobody holds the lease');

  const ended = await database.transact((tx) => endFrozenHolder(tx, name, dead));
  expect(ended).toBe(0);
  expect(await waiting()).toBe(1);

  // Listened to before it is cancelled: the COMMIT may fail before the cancelling statement is answered.
  const refused = expect(committing).rejects.toThrow(Outage);
  const cancel = "SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'";
  await database.reader.read(cancel, []);
  await refused;
});
