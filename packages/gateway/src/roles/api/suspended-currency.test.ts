// A currency that is suspended, or for which no blocks are read, takes no new orders; an order that stands is answered.
import { chainDefinitions } from '@ducat/core/chain/definitions/index';
import { startTestApi, type TestApi } from '@ducat/testkit/api/test-api';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { createCatalogue } from './catalogue.ts';

const USDT = 1001;
const USDC = 1002;
const WKC = 4000;
const unasked = new Set<number>();
const suspended = new Map<number, string>();
let api: TestApi;

beforeAll(async () => {
  const on = (name: string) => ['ETH', 'BSC'].includes(name);
  const served = chainDefinitions.map((definition) => ({
    definition,
    on: on(definition.name),
    isCurrencyOn: (currencyId: number) => !unasked.has(currencyId),
    isUnasked: (currencyId: number) => unasked.has(currencyId),
  }));
  const catalogue = createCatalogue(served, (currencyId) => suspended.get(currencyId) ?? null);
  api = await startTestApi(inject('postgresAdminUrl'), { catalogue });
});
afterAll(() => api?.close());

const order = (number: string) => ({ out_trade_no: number, currency_id: USDT, token_amount: '1' });
const isListed = async () => {
  const { data } = await api.call('/api/currency/token-list', {});
  return JSON.stringify(data).includes(`"currency_id":${USDT},`);
};

it('is refused with 20003 and the reason, and is on offer again once it is resumed', async () => {
  const standing = await api.call('/api/order/create', order('before'));
  expect([standing.code, await isListed()]).toEqual([0, true]);
  suspended.set(USDT, 'ledger and chain differ');
  expect(await api.call('/api/order/create', order('during'))).toMatchObject({
    code: 20003,
    msg: expect.stringContaining('USDT on ETH is suspended (ledger and chain differ)'),
  });
  expect((await api.call('/api/order/create', order('before'))).data).toEqual(standing.data);
  expect(await isListed()).toBe(false);
  suspended.clear();
  expect([(await api.call('/api/order/create', order('after'))).code, await isListed()]).toEqual([0, true]);
});

it('is 10002, starting, until its chain has confirmed it, and 20003 only where it is off', async () => {
  unasked.add(USDT);
  const waiting = {
    code: 10002,
    msg: 'the gateway is starting: USDT on ETH is not confirmed by its chain yet; try again',
  };
  const hosted = { fiat_name: 'USD', fiat_amount: '1', currency_ids: [USDT, WKC] };
  expect(await api.call('/api/order/create', order('early'))).toMatchObject(waiting);
  expect(await api.call('/api/entrust/pre-create', { out_trade_no: 'page', ...hosted })).toMatchObject(
    waiting,
  );
  expect((await api.call('/api/order/create', { ...order('off'), currency_id: WKC })).code).toBe(20003);
  expect(await isListed()).toBe(false);
  unasked.clear();
  expect((await api.call('/api/order/create', order('early'))).code).toBe(0);
});

it('is 10002 while the process that watches its chain does not read it, also where one did before', async () => {
  const readFor = (currencyIds: readonly number[] | null) =>
    api.database.transact((tx) =>
      tx.write("UPDATE chain_cursors SET currency_ids = $1 WHERE chain = 'ETH'", [currencyIds]),
    );
  const waiting = {
    code: 10002,
    msg: 'the gateway is starting: ETH is not being read for USDC yet; try again',
  };
  const inUsdc = (number: string) => ({ ...order(number), currency_id: USDC });
  const hosted = { fiat_name: 'USD', fiat_amount: '1', currency_ids: [USDC] };
  await readFor([1000, USDT]);
  expect(await api.call('/api/order/create', inUsdc('unread'))).toMatchObject(waiting);
  expect(await api.call('/api/entrust/pre-create', { out_trade_no: 'unread-page', ...hosted })).toMatchObject(
    waiting,
  );
  expect((await api.call('/api/order/create', order('read'))).code).toBe(0);
  await readFor([1000, USDT, USDC]);
  expect((await api.call('/api/order/create', inUsdc('unread'))).code).toBe(0);
  await readFor([1000, USDT]);
  expect(await api.call('/api/order/create', inUsdc('unread-again'))).toMatchObject(waiting);
  expect((await api.call('/api/order/create', inUsdc('unread'))).code).toBe(0);
  await readFor(null);
  expect((await api.call('/api/order/create', inUsdc('unread-again'))).code).toBe(0);
});
