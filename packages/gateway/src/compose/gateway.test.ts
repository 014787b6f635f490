// The start of the gateway: what it refuses, what it leaves behind when it fails, and chains that are switched off.
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startTcpProxy } from '@ducat/devnet/net/tcp-proxy';
import { waitUntil } from '@ducat/devnet/process/wait-until';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { createAppKeys } from '../keys/app-keys.ts';
import { ConfigError } from '../config/config-error.ts';
import { type Config, loadConfig } from '../config/load-config.ts';
import { createApp } from '../flows/merchants/create-app.ts';
import { createMerchant } from '../flows/merchants/create-merchant.ts';
import { startGateway } from './gateway.ts';
import { createLog } from '../runtime/log.ts';
import { signedHeaders } from '@ducat/testkit/api/test-api';
import { openTestDatabase, type TestDatabase } from '@ducat/testkit/database';
import { insertTestOrder } from '@ducat/testkit/fixtures';
import { realWorld } from '../runtime/world.ts';

const secret = '0123456789abcdef'.repeat(4);
const log = createLog('silent');
const token = `[chains.WKC]
enabled = false
rpc_urls = []
[[chains.WKC.currencies]]
currency_id = 4001
symbol = "USDT"
decimals = 6
contract = "0x${'ab'.repeat(20)}"
`;

let database: TestDatabase;
let folder: string;
let appKey: string;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'ducat-gateway-'));
  database = await openTestDatabase(inject('postgresAdminUrl'), 2);
  const masterSecret = Buffer.from(secret, 'hex');
  const made = createAppKeys({ masterSecret, reader: database.reader, world: realWorld }).create('app_1');
  appKey = made.appKey;
  const merchant = { merchantId: 'mer_1', name: 'Shop', depositFeePpm: 300, createdAtMs: 0 };
  await database.transact((tx) => createMerchant(tx, merchant));
  const app = {
    appId: 'app_1',
    merchantId: 'mer_1',
    name: 'Shop',
    kind: 'PAYMENT',
    callbackUrl: null,
  } as const;
  await database.transact((tx) =>
    createApp(tx, { ...app, tolerancePpm: 0, sealedKey: made.sealedKey, createdAtMs: 0 }),
  );
});

afterEach(async () => {
  await database.drop();
  rmSync(folder, { recursive: true, force: true });
});

function configure(toml: string, masterSecret = secret): Config {
  const path = join(folder, 'ducat.toml');
  writeFileSync(path, toml);
  return loadConfig(path, { DATABASE_URL: database.url, DUCAT_MASTER_SECRET: masterSecret });
}

function ports(api: number, operations: number): string {
  return `[api]\nport = ${api}\n[pages]\nport = 0\n[operations]\nport = ${operations}\n`;
}

/** Sessions on the database that are not the test's own. */
async function otherSessions(): Promise<number> {
  const [row] = await database.reader.read<{ count: number }>(
    `SELECT count(*)::int AS count FROM pg_stat_activity
     WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()`,
    [],
  );
  return row?.count ?? 0;
}

async function takePort(): Promise<{ readonly port: number; readonly server: Server }> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // A server that listens on TCP has an address with a port.
  return { port: (server.address() as AddressInfo).port, server };
}

describe('startGateway', () => {
  it('does not start under another master secret', async () => {
    const idle = await otherSessions();
    const start = startGateway(configure(ports(0, 0), secret.split('').reverse().join('')), log);
    await expect(start).rejects.toThrow(ConfigError);
    await expect(start).rejects.toThrow('the AppKey of app_1 was sealed under another master secret');
    await expect.poll(otherSessions).toBeLessThanOrEqual(idle);
  });

  it('says what follows before it migrates', async () => {
    await database.transact((tx) => tx.write('DELETE FROM migrations WHERE number = 154', []));
    const noted: object[] = [];
    const note = (fields: object) => void noted.push(fields);
    const noting = { debug: note, info: note, warn: note, error: note };
    const wrongSecret = secret.split('').reverse().join('');
    await expect(startGateway(configure(ports(0, 0), wrongSecret), noting)).rejects.toThrow(ConfigError);
    const migrating = noted.filter((fields) => 'migration' in fields || 'applied' in fields);
    expect(migrating).toEqual([
      { migration: '0154_event_quarantine', olderProcesses: 'run on', tables: '' },
      { applied: [154] },
    ]);
  });

  it.each([
    ['the API', (taken: number) => ports(taken, 0)],
    ['operations', (taken: number) => ports(0, taken)],
  ])('leaves nothing at work when the port of %s is taken', async (_what, toml) => {
    const { port, server } = await takePort();
    try {
      const idle = await otherSessions();
      await expect(startGateway(configure(toml(port)), log)).rejects.toMatchObject({ code: 'EADDRINUSE' });
      await expect.poll(otherSessions).toBeLessThanOrEqual(idle);
    } finally {
      server.close();
    }
  });

  it('answers a signed 503 while the database hangs, and stops without waiting for it', async () => {
    const url = new URL(database.url);
    const proxy = await startTcpProxy({ host: url.hostname, port: Number(url.port) });
    url.port = String(proxy.port);
    const config = configure(ports(0, 0));
    const gateway = await startGateway({ ...config, database: { ...config.database, url: url.href } }, log);
    const ask = () => {
      const body = JSON.stringify({ trade_no: 'ord_x' });
      const at = Math.floor(Date.now() / 1000);
      const headers = signedHeaders(body, { appId: 'app_1', appKey }, at);
      return fetch(`${gateway.apiUrl}/api/order/detail`, { method: 'POST', body, headers });
    };
    try {
      expect(await (await ask()).json()).toMatchObject({ code: 10004 });
      proxy.setTrouble({ latencyMs: 600_000 });
      const answer = await ask();
      expect([answer.status, answer.headers.get('x-appid')]).toEqual([503, 'app_1']);
    } finally {
      await gateway.stop();
      await proxy.stop();
    }
  });

  it('waits while the database is away, and ends where it refuses the login', async () => {
    const url = new URL(database.url);
    const proxy = await startTcpProxy({ host: url.hostname, port: Number(url.port) });
    proxy.setTrouble({ refuse: true });
    url.port = String(proxy.port);
    const config = configure(`roles = ["api"]\n${ports(0, 0)}`);
    const waits: object[] = [];
    const note = (fields: object) => void (`waitMs` in fields && waits.push(fields));
    const noting = { debug: note, info: note, warn: note, error: note };
    try {
      const starting = startGateway({ ...config, database: { ...config.database, url: url.href } }, noting);
      await waitUntil('it to wait', () => waits.length >= 2);
      proxy.setTrouble({});
      await (await starting).stop();
      url.password = 'wrong';
      const refused = startGateway({ ...config, database: { ...config.database, url: url.href } }, noting);
      await expect(refused).rejects.toMatchObject({ cause: { code: '28P01' } });
    } finally {
      await proxy.stop();
    }
  });

  it('says at its start that prices are made up, where they are', async () => {
    const lines: object[] = [];
    const note = (fields: object) => void lines.push(fields);
    const noting = { debug: note, info: note, warn: note, error: note };
    const demo = 'demo = true\nroles = ["api"]\n[rates]\nsource = "fixed-demo"\n';
    const gateway = await startGateway(configure(demo + ports(0, 0)), noting);
    await gateway.stop();
    expect(lines).toContainEqual({ warning: expect.stringContaining('made up for the demo') });
  });

  it('refuses the currencies of a chain that is off by name, and goes on with the orders in them', async () => {
    await database.transact(async (tx) => {
      await tx.write("INSERT INTO currencies VALUES (4001, 'WKC', 'USDT', $1, 6)", [`0x${'ab'.repeat(20)}`]);
      await tx.write("INSERT INTO account_keys VALUES ('app_1', 'evm', 'key')", []);
      await tx.write(
        "INSERT INTO addresses (app_id, family, derivation_index, address) VALUES ('app_1', 'evm', 0, '0x1')",
        [],
      );
    });
    await insertTestOrder(database, { currencyId: 4001, chain: 'WKC' });
    await expect(startGateway(configure(ports(0, 0)), log)).rejects.toThrow('orders wait for it');
    const roles = 'roles = ["api"]\n';
    const gateway = await startGateway(configure(roles + ports(0, 0) + token), log);
    try {
      const call = async (path: string, request: object) => {
        const body = JSON.stringify(request);
        const headers = signedHeaders(body, { appId: 'app_1', appKey }, Math.floor(realWorld.nowMs() / 1000));
        const response = await fetch(`${gateway.apiUrl}${path}`, { method: 'POST', body, headers });
        return response.json();
      };
      const order = { out_trade_no: 'new', currency_id: 4001, token_amount: '1' };
      expect(await call('/api/order/create', order)).toMatchObject({ code: 20003 });
      expect(await call('/api/order/create', { ...order, currency_id: 1000 })).toMatchObject({ code: 20003 });
      expect(await call('/api/order/detail', { trade_no: 'ord_1' })).toMatchObject({
        code: 0,
        data: { chain: 'WKC', token: 'USDT', amount: '10' },
      });
    } finally {
      await gateway.stop();
    }
  });

  it('starts on the books of an older catalogue, in which the operator had a token of his own', async () => {
    const link = '0x514910771af9ca656af840dff83e8264ecf986ca';
    const pinned = [
      [1000, 'ETH', '', 18],
      [1001, 'USDT', '0xdac17f958d2ee523a2206206994597c13d831ec7', 6],
      [1002, 'USDC', '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48', 6],
      [1003, 'LINK', link, 18],
    ] as const;
    await database.transact(async (tx) => {
      for (const [id, symbol, contract, decimals] of pinned)
        await tx.write("INSERT INTO currencies VALUES ($1, 'ETH', $2, $3, $4)", [
          id,
          symbol,
          contract,
          decimals,
        ]);
      await tx.write("INSERT INTO account_keys VALUES ('app_1', 'evm', 'key')", []);
      await tx.write(
        "INSERT INTO addresses (app_id, family, derivation_index, address) VALUES ('app_1', 'evm', 0, '0x1')",
        [],
      );
    });
    await insertTestOrder(database, { currencyId: 1003 });
    const own = `currency_id = 1003\nsymbol = "LINK"\ndecimals = 18\ncontract = "${link}"\n`;
    const chain = `[chains.ETH]\nenabled = false\nrpc_urls = []\n[[chains.ETH.currencies]]\n${own}`;
    const gateway = await startGateway(configure(`roles = ["api"]\n${ports(0, 0)}${chain}`), log);
    await gateway.stop();
    const on = chain.replace('false', 'true').replace('[]', '["http://127.0.0.1:9"]');
    const lines: object[] = [];
    const note = (fields: object) => void lines.push(fields);
    const noting = { debug: note, info: note, warn: note, error: note };
    const running = await startGateway(configure(`roles = ["api"]\n${ports(0, 0)}${on}`), noting);
    await running.stop();
    const now = await database.reader.read(
      'SELECT currency_id, symbol, contract FROM currencies WHERE currency_id IN (1003, 1020) ORDER BY 1',
      [],
    );
    expect(now).toEqual([{ currency_id: 1003, symbol: 'LINK', contract: link }]);
    expect(lines).toContainEqual({
      warning: expect.stringContaining('1020 (LINK) of the catalogue is left out'),
    });
  });
});
