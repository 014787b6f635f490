// What an operator asks in the first hour: is the file right, which apps are there, how far are the chains.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Command } from 'commander';
import type {} from '@ducat/testkit/global-setup';
import { openTestDatabase, type TestDatabase } from '@ducat/testkit/database';
import { insertApp } from '@ducat/testkit/fixtures';
import { afterAll, afterEach, beforeAll, expect, inject, it, vi } from 'vitest';
import { appListCommand } from './app-list.ts';
import { chainCommand } from './chain.ts';
import { configCommand } from './config.ts';

const folder = mkdtempSync(join(tmpdir(), 'ducat-operator-'));
const file = join(folder, 'ducat.toml');
const secret = '0123456789abcdef'.repeat(4);

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase(inject('postgresAdminUrl'), 1);
  await insertApp(database);
  writeFileSync(
    file,
    '[chains.ETH]\nrpc_urls = ["http://127.0.0.1:8545"]\n[chains.BSC]\nrpc_urls = ["http://127.0.0.1:8546"]\n',
  );
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});
afterAll(async () => {
  await database.drop();
  rmSync(folder, { recursive: true, force: true });
});

async function run(command: Command, url: string, ...args: readonly string[]): Promise<string> {
  vi.stubEnv('DATABASE_URL', url);
  vi.stubEnv('DUCAT_MASTER_SECRET', secret);
  let output = '';
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    output += String(text);
    return true;
  });
  await command.parseAsync([...args, '--config', file], { from: 'user' });
  return output;
}

it('config check says what is right and what is weak, and names a mistake', async () => {
  expect(await run(configCommand(), database.url, 'check')).toMatch(
    /ducat\.toml is right\.\nRoles: api, .*\nChains that are on: ETH, BSC\.\nWeak: chains\.ETH\.rpc_urls/,
  );
  await expect(run(configCommand(), 'mysql://h/d', 'check')).rejects.toThrow(
    'DATABASE_URL: must be an address',
  );
});

it('app list and chain status show what there is', async () => {
  expect(await run(appListCommand(), database.url)).toMatch(/^App .*\napp_1 +mer_1 +PAYMENT +on /);
  const cursor = `INSERT INTO chain_cursors (chain, head_number, head_hash, head_time, final_number, final_time,
    updated_at_ms, halted_reason) VALUES ('ETH', 1000, '0x', 1, 990, 1, 0, 'a deep fork')
    ON CONFLICT (chain) DO UPDATE SET head_number = 1000, head_hash = '0x', head_time = 1, final_number = 990,
    final_time = 1, halted_reason = 'a deep fork'`;
  await database.transact((tx) => tx.write(cursor, []));
  const shown = await run(chainCommand(), database.url, 'status');
  expect(shown).toMatch(/\nETH +1000 +\d+ s ago +990 +stopped: a deep fork\nBSC +not read yet +runs/);
  expect(JSON.parse(await run(chainCommand(), database.url, 'status', '--json'))).toMatchObject([
    { chain: 'ETH', head: 1000, final: 990, halted: 'a deep fork' },
    { chain: 'BSC', head: null, halted: null },
  ]);
});

it.each([
  ['password', { password: 'wrong' }, /cannot be reached: password authentication failed/],
  ['name', { pathname: '/nowhere' }, /cannot be reached: database "nowhere" does not exist/],
  ['port', { port: '1' }, /cannot be reached: connect ECONNREFUSED/],
])('a wrong %s of the database is named', async (_, change, message) => {
  const url = Object.assign(new URL(database.url), change).href;
  await expect(run(appListCommand(), url)).rejects.toThrow(message);
});
