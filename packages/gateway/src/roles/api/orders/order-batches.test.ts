// Requests share statements, and none of them ends for what another process holds for a moment.
import { addressSchemes } from '../../../chains/address-schemes.ts';
import type { Result } from '@ducat/core/result';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { openTestDatabase, type TestDatabase } from '@ducat/testkit/database';
import { insertApp, testOrder } from '@ducat/testkit/fixtures';
import { realWorld } from '../../../runtime/world.ts';
import { Outage } from '../../../runtime/outage.ts';
import type { Reader } from '../../../db/postgres/tx.ts';
import type { OrderDetail } from '../../../db/tables/orders/orders.ts';
import { limitMerchant } from '../../../flows/merchants/limit-merchant.ts';
import { createOrderBatches, type OrderBatches } from './order-batches.ts';
import { createPoolFiller } from './pool-filler.ts';

let database: TestDatabase;
beforeEach(async () => {
  database = await openTestDatabase(inject('postgresAdminUrl'));
  await insertApp(database, { addresses: 40 });
});
afterEach(() => database.drop());

/** An app whose merchant has no limit. */
const FREE = { merchantId: 'mer_1', hasOpenLimit: false };

const tradeNoOf = (placed: Result<OrderDetail>) => (placed.ok ? placed.value.tradeNo : placed.refusal.code);

/** What the api would have; `sleep` stands for the pause between two looks at a pool. */
function batches(sleep: () => Promise<void>, reader: Reader = database.reader) {
  const { transact } = database;
  const fillPool = createPoolFiller({ transact, addressSchemes });
  return createOrderBatches({
    reader,
    transact,
    fillPool,
    addressSchemes,
    world: { ...realWorld, sleep },
    watched: (work) => work,
  });
}

it('waits for addresses that the run of another process has locked, though they count as free', async () => {
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  let lock = (): void => undefined;
  const locked = new Promise<void>((resolve) => (lock = resolve));
  const other = database.transact(async (tx) => {
    await tx.read('SELECT address_id FROM addresses FOR UPDATE', []);
    lock();
    await released;
  });
  await locked;
  let pauses = 0;
  const orders = batches(async () => {
    pauses += 1;
    if (pauses < 3) return;
    release();
    await other;
  });
  const placed = await orders.place({ order: testOrder({ tradeNo: 'ord_1' }), hosted: null }, FREE);
  expect([tradeNoOf(placed), pauses]).toEqual(['ord_1', 3]);
});

it('gives each of many parallel requests its own order', async () => {
  const orders = batches(() => Promise.resolve());
  const tradeNos = Array.from({ length: 30 }, (_, place) => `ord_${place}`);
  const placed = await Promise.all(
    tradeNos.map((tradeNo) => orders.place({ order: testOrder({ tradeNo }), hosted: null }, FREE)),
  );
  expect(placed.map((one) => tradeNoOf(one))).toEqual(tradeNos);
  const addresses = placed.map((one) => (one.ok ? one.value.address : ''));
  expect(new Set(addresses).size).toBe(30);
  const found = await Promise.all(tradeNos.map((tradeNo) => orders.find({ appId: 'app_1', tradeNo })));
  expect(found.map((order) => order?.address)).toEqual(addresses);
  expect(await orders.find({ appId: 'app_2', tradeNo: 'ord_1' })).toBeNull();
});

it('is an outage for the one whose standing order is not there, as the primary changed, and for no other', async () => {
  const place = (orders: OrderBatches, outTradeNo: string) =>
    orders.place({ order: testOrder({ tradeNo: `ord_${outTradeNo}`, outTradeNo }), hosted: null }, FREE);
  await place(
    batches(() => Promise.resolve()),
    'a',
  );
  const behind: Reader = {
    read: (sql, values) =>
      database.reader.read(sql.replaceAll('order_keys', '(TABLE order_keys LIMIT 0)'), values),
  };
  const orders = batches(() => Promise.resolve(), behind);
  const [again, fresh] = await Promise.allSettled([place(orders, 'a'), place(orders, 'b')]);
  expect([again?.status, fresh?.status]).toEqual(['rejected', 'fulfilled']);
  await expect(place(orders, 'a')).rejects.toBeInstanceOf(Outage);
});

describe('of a merchant whose open orders are limited', () => {
  const limited = { merchantId: 'mer_1', hasOpenLimit: true };
  const limit = (maxOpenOrders: number) =>
    database.transact((tx) => limitMerchant(tx, 'mer_1', { maxOpenOrders }));
  const place = (orders: OrderBatches, tradeNo: string, appId = 'app_1') =>
    orders.place({ order: testOrder({ tradeNo, appId }), hosted: null }, limited);

  // hits mark: open-orders-within-the-limit
  it('opens exactly so many of 500 that come at once by two processes, over all of its apps', async () => {
    await insertApp(database, { appId: 'app_2', account: 2, addresses: 20 });
    await database.transact((tx) => tx.write(`UPDATE apps SET merchant_id = 'mer_1'`, []));
    await limit(10);
    const processes = [batches(() => Promise.resolve()), batches(() => Promise.resolve())];
    const placed = await Promise.all(
      Array.from({ length: 500 }, (_, n) =>
        place(processes[n % 2]!, `ord_${n}`, `app_${1 + (n % 3 === 0 ? 1 : 0)}`),
      ),
    );
    const [made, refused] = [placed.filter(({ ok }) => ok), placed.filter(({ ok }) => !ok)];
    expect([made.length, refused.length]).toEqual([10, 490]);
    expect(new Set(refused.map((one) => (one.ok ? '' : one.refusal.code)))).toEqual(new Set(['order-limit']));
  });

  it('answers a repetition at the limit, and opens one more when one is paid', async () => {
    await limit(1);
    const orders = batches(() => Promise.resolve());
    expect((await place(orders, 'ord_1')).ok).toBe(true);
    expect(await place(orders, 'ord_1')).toMatchObject({ ok: true, value: { tradeNo: 'ord_1' } });
    const refused = {
      code: 'order-limit',
      message: expect.stringContaining('at the limit of 1 that the operator'),
    };
    expect(await place(orders, 'ord_2')).toEqual({ ok: false, refusal: refused });
    await database.transact((tx) => tx.write(`UPDATE orders SET status = 'PAID'`, []));
    expect((await place(orders, 'ord_2')).ok).toBe(true);
    expect((await orders.place({ order: testOrder({ tradeNo: 'ord_3' }), hosted: null }, FREE)).ok).toBe(
      true,
    );
  });
});
