// The exit code of ducat reconcile, which cron jobs and people go by: 1 as soon as a single address is off.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type {} from '@ducat/testkit/global-setup';
import { startSystem, type System } from '@ducat/testkit/system/system';
import { masterSecret } from '@ducat/testkit/system/open-shop';
import { afterAll, afterEach, beforeAll, expect, inject, it, vi } from 'vitest';
import { reconcileCommand } from './reconcile.ts';

const folder = mkdtempSync(join(tmpdir(), 'ducat-reconcile-'));
const ether = 10n ** 18n;

let system: System;
beforeAll(async () => {
  system = await startSystem(inject('postgresAdminUrl'));
  writeFileSync(join(folder, 'ducat.toml'), configText(system));
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});
afterAll(async () => {
  await system?.close();
  rmSync(folder, { recursive: true, force: true });
});

function configText({ eth }: System): string {
  return `
    demo = true
    [rates]
    source = "fixed-demo"
    [chains.ETH]
    rpc_urls = ["${eth.node.rpcUrl}"]
    chain_id = ${eth.node.chainId}
    traces = "debug"
    [[chains.ETH.currencies]]
    currency_id = ${eth.ids.usdt}
    contract = "${eth.usdt}"
    [[chains.ETH.currencies]]
    currency_id = ${eth.ids.usdc}
    contract = "${eth.usdc}"
  `;
}

/** Runs the command, and gives what it printed and the code that the process would end with. */
async function reconcile(...args: readonly string[]): Promise<{ code: number; output: string }> {
  vi.stubEnv('DATABASE_URL', system.database.url);
  vi.stubEnv('DUCAT_MASTER_SECRET', Buffer.from(masterSecret).toString('hex'));
  let output = '';
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    output += String(text);
    return true;
  });
  const before = process.exitCode;
  process.exitCode = 0;
  await reconcileCommand().parseAsync(['--config', join(folder, 'ducat.toml'), ...args], { from: 'user' });
  const code = Number(process.exitCode);
  process.exitCode = before;
  vi.restoreAllMocks();
  return { code, output };
}

it('ends with 0 while every coin is explained, and with 1 when one is not, also where the sums agree', async () => {
  const { eth } = system;
  const shop = await system.newShop();
  const orders = [await shop.order(eth.ids.coin, '1'), await shop.order(eth.ids.coin, '1')];
  for (const order of orders) await eth.payer().sendNative(order.pay_address, ether);
  const settle = async () => {
    await system.mine(eth);
    await system.makeFinal(eth);
  };
  await settle();
  for (const order of orders) await shop.confirmed(order.trade_no, 1);
  expect(await reconcile()).toMatchObject({ code: 0, output: expect.stringContaining('Clean') });

  await eth.node.setBalance(orders[0]!.pay_address, ether + 5n);
  await settle();
  const surplus = await reconcile('--json');
  expect(surplus.code).toBe(1);
  expect(JSON.parse(surplus.output)).toMatchObject({
    clean: false,
    chains: [
      { currencies: [{ currency_id: 1000, unexplained: '0.000000000000000005', explained: false }, {}, {}] },
    ],
  });

  await eth.node.setBalance(orders[1]!.pay_address, ether - 5n);
  await settle();
  const hidden = await reconcile();
  expect(hidden).toMatchObject({ code: 1, output: expect.stringContaining('NOT clean') });
  expect(hidden.output).toMatch(/ETH@ETH +2 +2 +0 +0\.00000000000000001\n/);
});
