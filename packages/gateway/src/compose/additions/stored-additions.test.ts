// One damaged row of what was added does not take the rest with it, nor the start of the gateway; and the file wins.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openTestDatabase, type TestDatabase } from '@ducat/testkit/database';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { loadConfig } from '../../config/load-config.ts';
import { insertAddedChain, insertAddedToken, setRemoved } from '../../db/tables/added-chains.ts';
import type { Tx } from '../../db/postgres/tx.ts';
import { changeAddition } from '../../flows/currencies/change-addition.ts';
import { removeAddition } from '../../flows/currencies/remove-addition.ts';
import type { ChainWish } from '../../roles/dashboard/operator/additions-port.ts';
import { restoreAdditions } from '../../flows/currencies/restore-additions.ts';
import { realWorld } from '../../runtime/world.ts';
import { createChainAdditions } from '../dashboard/chain-additions.ts';
import { additionSealing, sealedName, withStored } from './stored-additions.ts';

const folder = mkdtempSync(join(tmpdir(), 'ducat-added-'));
let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase(inject('postgresAdminUrl'), 2);
  await database.transact((tx) =>
    tx.write(`INSERT INTO people VALUES ('op_1', 'op@example.test', 'Olga', true, 0)`, []),
  );
});
afterAll(async () => {
  await database?.drop();
  rmSync(folder, { recursive: true, force: true });
});

const section = (place: number) => ({
  rpc_urls: ['https://node.example/hidden'],
  network: `N${place}`,
  chain_id: 90_000 + place,
  monitor_chain_id: place,
  confirmations: 3,
  node_finality: 'finalized',
  block_time_ms: 1_000,
  currencies: [{ currency_id: place * 1_000, symbol: `C${place}`, decimals: 18 }],
});

it('leaves out each row that does not open or does not read, names it, and joins the others', async () => {
  const path = join(folder, 'ducat.toml');
  writeFileSync(path, '');
  const config = loadConfig(path, {
    DATABASE_URL: database.url,
    DUCAT_MASTER_SECRET: '0123456789abcdef'.repeat(4),
  });
  const sealing = additionSealing(config);
  const sealed = (name: string, text: string) => sealing.seal(name, text, realWorld);
  const cut = Buffer.of(1, 2, 3);
  const chains: readonly (readonly [string, Buffer])[] = [
    ['GOOD', sealed(sealedName.chain('GOOD'), JSON.stringify(section(5)))],
    ['CUT', cut],
    ['NOJSON', sealed(sealedName.chain('NOJSON'), '{"rpc_urls":')],
    ['OLDFORM', sealed(sealedName.chain('OLDFORM'), JSON.stringify({ ...section(8), lost: true }))],
    ['NOURL', sealed(sealedName.chain('NOURL'), JSON.stringify({ ...section(9), rpc_urls: ['nowhere'] }))],
    ['LAST', sealed(sealedName.chain('LAST'), JSON.stringify(section(10)))],
  ];
  const row = { addedBy: 'op_1', addedAtMs: 0 };
  await database.transact(async (tx) => {
    for (const [place, [chain, bytes]] of chains.entries())
      await insertAddedChain(tx, { ...row, chain, chainId: place + 1, sealed: bytes });
    await insertAddedToken(tx, { ...row, chain: 'GOOD', currencyId: 5900, sealed: cut });
  });
  const stored = await withStored(config, database.reader);
  expect(stored.config.chains.map(({ definition }) => definition.name)).toEqual(['GOOD', 'LAST']);
  expect(stored.leftOut.map(({ name, currencyId }) => [name, currencyId])).toEqual([
    ['CUT', null],
    ['NOJSON', null],
    ['OLDFORM', null],
    ['GOOD 5900', 5900],
    ['NOURL', null],
  ]);
  expect(stored.leftOut.map(({ reason }) => reason).join()).not.toContain('hidden');

  const remove = (tx: Tx, nowMs = 1) => removeAddition(tx, { key, reason: 'removed', nowMs });
  const key = { chain: 'LAST', currencyId: null };
  await database.transact((tx) =>
    tx.write(`INSERT INTO currencies VALUES (10000, 'LAST', 'C10', '', 18)`, []),
  );
  expect(await database.transact((tx) => remove(tx))).toBe('removed');
  const without = await withStored(config, database.reader);
  expect(without.config.chains.map(({ definition }) => definition.name)).toEqual(['GOOD']);
  // A name and its chain id belong together for ever, since blocks were read under them.
  const added = (change: object) =>
    database.transact((tx) =>
      insertAddedChain(tx, { ...row, chain: 'LAST', chainId: 6, sealed: cut, ...change }),
    );
  expect(await added({ chain: 'OTHER' })).toBe(false);
  expect(await added({ chainId: 7_000 })).toBe(false);
  // A process that had not read the suspension yet took an order.
  await database.transact((tx) =>
    tx.write(`INSERT INTO accounts (kind, owner, currency_id) VALUES ('available', 'app_1', 10000)`, []),
  );
  const overtaken = await withStored(config, database.reader);
  expect(overtaken.config.chains).toHaveLength(2);
  await database.transact((tx) => restoreAdditions(tx, overtaken.unsettled));
  expect(await database.transact((tx) => remove(tx))).toBe('used');
});

it('takes what was there before where something was taken in what was changed, and what was removed for five minutes', async () => {
  const path = join(folder, 'other.toml');
  writeFileSync(path, '');
  const secret = { DATABASE_URL: database.url, DUCAT_MASTER_SECRET: '0123456789abcdef'.repeat(4) };
  const config = loadConfig(path, secret);
  const key = { chain: 'ONCE', currencyId: null };
  const text = (network: string) => JSON.stringify({ ...section(11), network });
  const sealed = (network: string) =>
    additionSealing(config).seal(sealedName.chain('ONCE'), text(network), realWorld);
  const row = { chain: 'ONCE', chainId: 90_011, sealed: sealed('HONEST'), addedBy: 'op_1', addedAtMs: 9 };
  await database.transact(async (tx) => {
    await insertAddedChain(tx, row);
    await tx.write(`INSERT INTO currencies VALUES (11000, 'ONCE', 'C11', '', 18)`, []);
  });
  const change = (network: string) =>
    database.transact((tx) => changeAddition(tx, { key, sealed: sealed(network), chainId: 90_011 }));
  const started = async () => {
    const stored = await withStored(config, database.reader);
    await database.transact((tx) => restoreAdditions(tx, stored.unsettled));
    const { chains } = stored.config;
    return chains.find(({ definition }) => definition.name === 'ONCE')?.definition.network;
  };
  expect(await change('SECOND')).toBe('changed');
  expect(await started()).toBe('SECOND');
  const remove = () =>
    database.transact((tx) => removeAddition(tx, { key, reason: 'removed', nowMs: realWorld.nowMs() }));
  expect(await remove()).toBe('removed');
  expect(await started()).toBe('SECOND');
  await database.transact((tx) => setRemoved(tx, key, null));
  expect(await change('MADE-UP')).toBe('changed');
  await database.transact((tx) =>
    tx.write(`INSERT INTO accounts (kind, owner, currency_id) VALUES ('available', 'app_1', 11000)`, []),
  );
  expect(await started()).toBe('SECOND');
  expect(await started()).toBe('SECOND');
  expect(await change('MADE-UP')).toBe('used');
});

it('a chain in the file and by the form is refused by the form, and left to the file by a start, in words that name both', async () => {
  const secret = { DATABASE_URL: database.url, DUCAT_MASTER_SECRET: '0123456789abcdef'.repeat(4) };
  const path = join(folder, 'wkc.toml');
  const file = (text: string) => {
    writeFileSync(path, text);
    return loadConfig(path, secret);
  };
  const { reader } = database;
  const working = (ofFile: ReturnType<typeof file>) =>
    createChainAdditions({ config: ofFile, ofFile, reader, world: realWorld, http: neverAsked });
  const config = file('[chains.WKC]\nrpc_urls = ["https://node.example"]\nchain_id = 90001\n');
  const wish: ChainWish = {
    name: 'WKC',
    network: 'WKC20',
    chain_id: 90_001,
    coin_symbol: 'WKC',
    coin_rate_asset: null,
    node_urls: ['https://node.example'],
    confirmations: 200,
    node_finality: 'none',
  };
  const { trouble } = await working(config).checkChain(wish, false);
  expect(trouble).toMatch(
    /^chains\.WKC: stands in the configuration file\. .* or on the dashboard, not by both/,
  );
  const pinned = (text: string) => working(file(text)).pinned.map(({ name, isInFile }) => [name, isInFile]);
  expect(pinned('')).toEqual([['WKC', false]]);
  expect(pinned('[chains.WKC]\nenabled = false\nrpc_urls = []\n')).toEqual([['WKC', true]]);
  expect(working(config).pinned).toEqual([]);
  const coin = { currency_id: 4_000, symbol: 'WKC', decimals: 18 };
  const text = { ...section(4), network: 'WKC20', currencies: [coin] };
  const bytes = additionSealing(config).seal(sealedName.chain('WKC'), JSON.stringify(text), realWorld);
  const row = { chain: 'WKC', chainId: 90_004, sealed: bytes, addedBy: 'op_1', addedAtMs: 99 };
  await database.transact((tx) => insertAddedChain(tx, row));
  const chainIdOf = (stored: Awaited<ReturnType<typeof withStored>>) =>
    stored.config.chains.find(({ definition }) => definition.name === 'WKC')?.definition.chainId;
  const both = await withStored(config, reader);
  expect(chainIdOf(both)).toBe(90_001);
  expect(both.leftOut.find(({ name }) => name === 'WKC')).toMatchObject({
    isInFile: true,
    reason: 'chains.WKC: stands in the configuration file and was added on the dashboard; the file counts',
  });
  expect(chainIdOf(await withStored(file(''), reader))).toBe(90_004);
});

const neverAsked = () => Promise.reject(new Error('no node is asked here'));
