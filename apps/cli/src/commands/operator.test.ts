// The commands of an operator's first hour: is the file right, which apps are there, how far are the chains.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Command } from 'commander';
import type {} from '@ducat/testkit/global-setup';
import { openTestDatabase, type TestDatabase } from '@ducat/testkit/database';
import { insertApp, insertTestOrder, plainAddress } from '@ducat/testkit/fixtures';
import { afterAll, afterEach, beforeAll, expect, inject, it, vi } from 'vitest';
import { addressesCommand } from './addresses.ts';
import { appListCommand } from './apps/app-list.ts';
import { appShowCommand } from './apps/app-show.ts';
import { auditCommand } from './books/audit.ts';
import { ordersCommand } from './books/orders.ts';
import { fillAddressPool } from '@ducat/gateway/flows/addresses/fill-address-pool';
import { addProviderCounts } from '@ducat/gateway/db/tables/operating/provider-days';
import { chainCommand } from './chain.ts';
import { configCommand } from './config.ts';
import { merchantCommand } from './merchant.ts';
import { merchantListCommand } from './merchant-list.ts';

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

it('chain status names the providers that are not used, and why, as they were seen last', async () => {
  const nowMs = Date.now();
  const today = Math.floor(nowMs / 86_400_000);
  const seen = { chain: 'BSC', calls: 1, failures: 1, totalMs: 1, disagreements: 0, head: null };
  const away = { ...seen, circuit: 'open', reason: 'is on the wrong chain', atMs: nowMs } as const;
  const rows = [
    { ...away, provider: 'a.test', day: today },
    { ...away, provider: 'b.test', day: today, circuit: 'closed', reason: null },
    { ...away, provider: 'b.test', day: today - 1 },
    { ...away, provider: 'c.test', day: today, atMs: nowMs - 600_000 },
  ] as const;
  await database.transact(async (tx) => {
    for (const row of rows) await addProviderCounts(tx, row);
  });
  const shown = await run(chainCommand(), database.url, 'status');
  expect(shown).toMatch(/\nBSC: a\.test is not used: is on the wrong chain\n$/);
  expect(shown.match(/not used/g)).toHaveLength(1);
});

it('chain pause stops a chain, which resume lets run again', async () => {
  expect(await run(chainCommand(), database.url, 'pause', 'bsc', '--why', 'the issuer')).toBe(
    'BSC is stopped.\n',
  );
  expect(await run(chainCommand(), database.url, 'status')).toMatch(/BSC .*stopped by hand: the issuer/);
  await expect(run(chainCommand(), database.url, 'rewind', 'BSC')).rejects.toThrow(
    'nothing of BSC is final in the books yet',
  );
  expect(await run(chainCommand(), database.url, 'resume', 'bsc')).toMatch(/^BSC runs again/);
  await expect(run(chainCommand(), database.url, 'pause', 'x', '--why', 'y')).rejects.toThrow(
    'there is no chain x; configured are ETH, BSC',
  );
});

it('merchants, the settings of an app, and orders of any app are shown', async () => {
  expect(await run(merchantListCommand(), database.url)).toMatch(/\nmer_1 +0\.03% +\S+ +1, 1 on +Shop$/m);
  expect(await run(appShowCommand(), database.url, 'app_1')).toMatch(
    /Webhooks go to +http:\/\/shop\.test\/hook\nCurrencies off +\(none\)[^]*Addresses, evm +20 derived, 20 of them free/,
  );
  await expect(run(appShowCommand(), database.url, 'app_2')).rejects.toThrow('there is no app app_2');
  await database.transact((tx) =>
    tx.write("UPDATE chain_cursors SET halted_reason = NULL WHERE chain = 'ETH'", []),
  );
  const order = await insertTestOrder(database);
  expect(await run(ordersCommand(), database.url, 'list', '--status', 'TO-BE-PAID')).toMatch(
    new RegExp(`\\n${order.tradeNo} +app_1 +TO-BE-PAID +0 of 10 USDT@ETH`),
  );
  expect(await run(ordersCommand(), database.url, 'list', '--status', 'PAID')).not.toContain(order.tradeNo);
  for (const text of [order.tradeNo, order.outTradeNo, order.address]) {
    const found = await run(ordersCommand(), database.url, 'search', text, '--json');
    expect(JSON.parse(found), text).toMatchObject([{ kind: 'order', id: order.tradeNo }]);
  }
});

it('a merchant that was made is followed by a command that names the same configuration', async () => {
  const said = await run(
    merchantCommand(),
    database.url,
    'create',
    '--name',
    'Other',
    '--deposit-fee',
    '0.5%',
  );
  expect(said).toMatch(/^Merchant mer_\S+ pays 0\.5% on each deposit\.\n/);
  expect(said).toContain(`npx ducat app create --config ${file} --merchant mer_`);
});

it('what a merchant is allowed is shown and changed, each limit by itself', async () => {
  const limits = (...more: string[]) => run(merchantCommand(), database.url, 'limits', 'mer_1', ...more);
  expect(await limits()).toMatch(/One payout +off\nPayouts of 24 hours +off\nOpen orders +off\n$/);
  await limits('--payout-max', '2500.5', '--open-orders', '200');
  expect(JSON.parse(await limits('--payout-max-day', '10000', '--open-orders', 'off', '--json'))).toEqual({
    merchant_id: 'mer_1',
    payout_max_usd: '2500.5',
    payout_max_day_usd: '10000',
    max_open_orders: null,
  });
  const listed = { limits: { payout_max_usd: '2500.5', payout_max_day_usd: '10000', max_open_orders: null } };
  expect(JSON.parse(await run(merchantListCommand(), database.url, '--json'))).toContainEqual(
    expect.objectContaining({ merchantId: 'mer_1', ...listed }),
  );
  const none = run(merchantCommand(), database.url, 'limits', 'mer_none');
  await expect(none).rejects.toThrow('there is no merchant mer_none');
});

it('addresses retire shows what it would do, refuses while others are connected, and then does it', async () => {
  const left = () => run(appShowCommand(), database.url, 'app_1');
  // An app has addresses of each family, but counts as one app.
  await database.transact(async (tx) => {
    await tx.write("INSERT INTO account_keys VALUES ('app_1', 'tron', 'key1')", []);
    await fillAddressPool(tx, { appId: 'app_1', family: 'tron', derive: plainAddress, target: 3 });
  });
  expect(await run(addressesCommand(), database.url, 'retire', '--ahead', '5')).toMatch(
    /^app_1 +evm +next index 25\napp_1 +tron +next index 8\nThe addresses of 1 app would be retired[^]*Nothing was changed/,
  );
  await expect(run(addressesCommand(), database.url, 'retire', '--ahead', '5', '--apply')).rejects.toThrow(
    'stop all gateways first',
  );
  expect(await left()).toMatch(/20 derived, 19 of them free/);
  await run(addressesCommand(), database.url, 'retire', '--ahead', '0', '--apply', '--anyway');
  expect(await left()).toMatch(/20 derived, 0 of them free/);
});

it('audit says that nothing is known before the first audit, with exit code 3, and audits when asked', async () => {
  const before = process.exitCode;
  const audit = async (...args: readonly string[]) => {
    process.exitCode = 0;
    const output = await run(auditCommand(), database.url, ...args);
    return [process.exitCode, output];
  };
  expect(await audit()).toEqual([3, expect.stringContaining('Nothing is known of the books yet')]);
  const [code, json] = await audit('--json');
  expect([code, JSON.parse(String(json))]).toEqual([
    3,
    { clean: false, findings: [], entry: 0, age_s: null },
  ]);
  expect(await audit('--full')).toEqual([0, 'The books agree with themselves. (all of them, now)\n']);
  process.exitCode = before;
});

it.each([
  ['password', { password: 'wrong' }, /cannot be reached: password authentication failed/],
  ['name', { pathname: '/nowhere' }, /cannot be reached: database "nowhere" does not exist/],
  ['port', { port: '1' }, /cannot be reached: connect ECONNREFUSED/],
])('a wrong %s of the database is named', async (_, change, message) => {
  const url = Object.assign(new URL(database.url), change).href;
  await expect(run(appListCommand(), url)).rejects.toThrow(message);
});
