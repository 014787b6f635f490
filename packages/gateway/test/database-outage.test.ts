// The database is away for a while, or hangs: no role ends, all say so, all go on afterwards, and a stop waits for nothing.
import { startPostgresProxy, type PostgresProxy } from '@ducat/devnet/postgres/proxy';
import { startTcpProxy } from '@ducat/devnet/net/tcp-proxy';
import { freePort } from '@ducat/devnet/net/free-port';
import { waitUntil } from '@ducat/devnet/process/wait-until';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import {
  type GatewayProcess,
  type ReadyGateway,
  startGatewayProcess,
} from '@ducat/testkit/system/gateway-process';
import { openShop } from '@ducat/testkit/system/open-shop';
import { startSystem, type System } from '@ducat/testkit/system/system';

/** Long enough for every role to meet the outage several times. */
const AWAY_MS = 12_000;

let system: System;
let proxy: PostgresProxy;
let gateway: GatewayProcess;
let ready: ReadyGateway;

beforeAll(async () => {
  system = await startSystem(inject('postgresAdminUrl'));
  await system.stop();
  const url = new URL(system.database.url);
  proxy = await startPostgresProxy(Number(url.port));
  url.port = String(proxy.port);
  gateway = startGatewayProcess(system, { logLevel: 'info', databaseUrl: url.href });
  ready = await gateway.ready();
});
afterAll(async () => {
  await gateway?.kill();
  await proxy?.stop();
  await system?.close();
});

it('waits it out with every role, and loses nothing that happened meanwhile', {
  timeout: 120_000,
}, async () => {
  const { eth, database, receiver } = system;
  const shop = await openShop(database, { receiver, apiUrl: () => ready.apiUrl });
  const order = () => shop.order(eth.ids.usdt, '10');
  const before = await waitUntil('the tokens to be checked', () => order().catch(() => false as const));
  const during = await order();
  await eth.payer().sendToken(eth.usdt, before.pay_address, 10_000_000n);
  await eth.node.mine(4);
  await shop.confirmed(before.trade_no, 1);

  const databasePort = Number(new URL(database.url).port);
  proxy.retarget(await freePort());
  proxy.cut();
  const awaySinceMs = Date.now();
  await waitUntil('both ports to say so', async () => (await readyz()).every((status) => status === 503));
  await eth.payer().sendToken(eth.usdt, during.pay_address, 10_000_000n);
  await eth.node.mine(4);
  await expect(order()).rejects.toThrow(/503/);
  await waitUntil('the outage to have lasted', () => Date.now() - awaySinceMs > AWAY_MS);
  expect(gateway.isAlive()).toBe(true);
  expect(await readyz()).toEqual([503, 503]);
  proxy.retarget(databasePort);

  await waitUntil('both ports to say that it is back', async () =>
    (await readyz()).every((status) => status === 200),
  );
  await shop.confirmed(during.trade_no, 1);
  await order();
  expect((await system.events(during.trade_no)).map(({ status }) => status)).toEqual(['PAID']);
  expect(await shop.balance(eth.ids.usdt)).toEqual({ total: '19.994', operable: '19.994' });
  expect(await (await fetch(`${ready.operationsUrl}/metrics`)).text()).toMatch(/^ducat_bugs_total 0$/m);
  expect(gateway.output()).not.toContain('halts the chain');
  expect(gateway.complaint()).toBe('');
  // The gateway still has to run here: transfers without a log are compared up to the block that it has searched.
  expect(await system.books.troubles()).toEqual([]);
  expect(await gateway.stop()).toBe(0);
});

it('ends in order and with code 0 while the database hangs', { timeout: 120_000 }, async () => {
  const url = new URL(system.database.url);
  const hanging = await startTcpProxy({ host: url.hostname, port: Number(url.port) });
  url.port = String(hanging.port);
  const another = startGatewayProcess(system, { logLevel: 'info', databaseUrl: url.href });
  try {
    await another.ready();
    hanging.setTrouble({ hold: true });
    expect(await another.stop()).toBe(0);
    expect(another.output()).toContain('the database does not answer and is not waited for');
    expect(another.complaint()).toBe('');
  } finally {
    await another.kill();
    await hanging.stop();
  }
});

/** The statuses of /readyz on the operator's port and on the API's. */
function readyz(): Promise<readonly number[]> {
  const urls = [ready.operationsUrl, ready.apiUrl];
  return Promise.all(urls.map(async (url) => (await fetch(`${url}/readyz`)).status));
}
