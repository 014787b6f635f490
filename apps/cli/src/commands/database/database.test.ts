// ducat database: pending migrations are listed; partition plans, refuses beside a gateway, and reports its work.
// ducat backup: the marks of backups and restores are shown with their age.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type {} from '@ducat/testkit/global-setup';
import { openTestDatabase, type TestDatabase } from '@ducat/testkit/database';
import type { Command } from 'commander';
import { afterAll, afterEach, beforeAll, expect, inject, it, vi } from 'vitest';
import { backupCommand } from './backup.ts';
import { databaseCommand } from './database.ts';

const folder = mkdtempSync(join(tmpdir(), 'ducat-database-'));

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase(inject('postgresAdminUrl'), 1);
  writeFileSync(join(folder, 'ducat.toml'), 'demo = true\n[rates]\nsource = "fixed-demo"\n');
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});
afterAll(async () => {
  await database.drop();
  rmSync(folder, { recursive: true, force: true });
});

const partition = (...args: readonly string[]) => run('partition', ...args);
const run = (command: string, ...args: readonly string[]) => runOn(databaseCommand(), command, args);
const backup = (command: string, ...args: readonly string[]) => runOn(backupCommand(), command, args);

async function runOn(program: Command, command: string, args: readonly string[]): Promise<string> {
  vi.stubEnv('DATABASE_URL', database.url);
  vi.stubEnv('DUCAT_MASTER_SECRET', '0123456789abcdef'.repeat(4));
  let output = '';
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    output += String(text);
    return true;
  });
  const config = ['--config', join(folder, 'ducat.toml')];
  await program.parseAsync([command, ...config, ...args], { from: 'user' });
  return output;
}

it('plans, refuses beside others, partitions, and has nothing left to do', async () => {
  await expect(partition()).rejects.toThrow('give --plan or --apply');
  expect(await partition('--plan')).toMatch(/orders +plain .*14 partitions.*\n[^]*Nothing was changed/);
  // One of our connections stays open.
  await database.reader.read('SELECT 1', []);
  await expect(partition('--apply')).rejects.toThrow('stop all gateways first. Connected to the database: ');
  const applied = await partition('--apply', '--anyway', '--transfer-partitions', '2');
  expect(applied).toContain('transfers: partitioned\n');
  expect(applied).toContain('Start the gateways again.');
  expect(await partition('--plan')).toContain('All of them are partitioned.');
  const plans = JSON.parse(await partition('--plan', '--json')) as readonly { state: string }[];
  expect(plans.map(({ state }) => state)).toEqual(plans.map(() => 'partitioned'));
});

it('notes backups and tried restores, and says what is fresh, too old, off or hidden', async () => {
  const before = process.exitCode;
  expect(await backup('state')).toMatch(
    /^WHAT .*\nbackup +never +ducat backup done says .*\nrestore +never +ducat backup tested .*\narchive +off +archive_mode is off\n/,
  );
  expect(process.exitCode).toBe(1);
  process.exitCode = before;
  expect(await backup('done', '--kind', 'dump', '--bytes', '1024', '--note', 'on the shelf')).toBe(
    'Noted.\n',
  );
  await backup('tested');
  expect(await backup('state')).toMatch(
    /\nbackup +fresh +\S+Z +dump, 1024 bytes, by \S+@\S+, on the shelf\nrestore +fresh +\S+Z +by \S+@\S+\n/,
  );
  expect(process.exitCode).toBe(before);
  await database.transact((tx) =>
    tx.write("UPDATE backup_marks SET at_ms = at_ms - 27 * 3600000 WHERE kind = 'dump'", []),
  );
  const lines: unknown = JSON.parse(await backup('state', '--json'));
  expect(lines).toMatchObject([
    { what: 'backup', state: 'old' },
    { what: 'restore', state: 'fresh' },
    { what: 'archive', state: 'off', at: null },
    { what: 'receivers', state: 'none' },
    { what: 'seed', state: 'away', note: 'no [signer] is configured' },
  ]);
  process.exitCode = before;
});

it('lists what a start would migrate, and ends with a mistake where older processes may not run on', async () => {
  expect(await run('migrations', '--rolling')).toBe('Nothing is pending.\n');
  const forget = (number: number) =>
    database.transact((tx) => tx.write('DELETE FROM migrations WHERE number = $1', [number]));
  await forget(121);
  const rolling = await run('migrations', '--rolling');
  expect(rolling).toMatch(/0121_fair_shares +older processes run on +reads outgoing_transactions, payouts: /);
  expect(rolling).toContain('Processes may be updated one after the other. Nothing was changed.');
  await forget(7);
  expect(await run('migrations')).toContain('Stop every older process first, then start this build.');
  await expect(run('migrations', '--rolling')).rejects.toThrow(
    'stop every older process before the new one starts: 0007_ground_for_growth',
  );
  await database.transact((tx) => tx.write('DROP TABLE migrations', []));
  expect(await run('migrations', '--rolling')).toContain('The database is empty');
});
