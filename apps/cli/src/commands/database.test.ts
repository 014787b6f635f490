// ducat database: what would be migrated is listed; partition plans, refuses beside a gateway, and says what it does.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type {} from '@ducat/testkit/global-setup';
import { openTestDatabase, type TestDatabase } from '@ducat/testkit/database';
import { afterAll, afterEach, beforeAll, expect, inject, it, vi } from 'vitest';
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

async function run(command: string, ...args: readonly string[]): Promise<string> {
  vi.stubEnv('DATABASE_URL', database.url);
  vi.stubEnv('DUCAT_MASTER_SECRET', '0123456789abcdef'.repeat(4));
  let output = '';
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    output += String(text);
    return true;
  });
  const config = ['--config', join(folder, 'ducat.toml')];
  await databaseCommand().parseAsync([command, ...config, ...args], { from: 'user' });
  return output;
}

it('plans, refuses beside others, partitions, and has nothing left to do', async () => {
  await expect(partition()).rejects.toThrow('give --plan or --apply');
  expect(await partition('--plan')).toMatch(/orders +plain .*14 partitions.*\n[^]*Nothing was changed/);
  // A connection of ours stays open.
  await database.reader.read('SELECT 1', []);
  await expect(partition('--apply')).rejects.toThrow('stop all gateways first. Connected to the database: ');
  const applied = await partition('--apply', '--anyway', '--transfer-partitions', '2');
  expect(applied).toContain('transfers: partitioned\n');
  expect(applied).toContain('Start the gateways again.');
  expect(await partition('--plan')).toContain('All of them are partitioned.');
  const plans = JSON.parse(await partition('--plan', '--json')) as readonly { state: string }[];
  expect(plans.map(({ state }) => state)).toEqual(plans.map(() => 'partitioned'));
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
