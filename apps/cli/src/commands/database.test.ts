// ducat database partition: the plan changes nothing, a gateway that runs stops it, and it says what it does.
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

async function partition(...args: readonly string[]): Promise<string> {
  vi.stubEnv('DATABASE_URL', database.url);
  vi.stubEnv('DUCAT_MASTER_SECRET', '0123456789abcdef'.repeat(4));
  let output = '';
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    output += String(text);
    return true;
  });
  const config = ['--config', join(folder, 'ducat.toml')];
  await databaseCommand().parseAsync(['partition', ...config, ...args], { from: 'user' });
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
