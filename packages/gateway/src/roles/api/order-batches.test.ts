// Requests share statements, and none of them ends for what another process holds for a moment.
import { addressSchemes } from '../../chains/address-schemes.ts';
import { afterEach, beforeEach, expect, inject, it } from 'vitest';
import { openTestDatabase, type TestDatabase } from '@ducat/testkit/database';
import { insertApp, testOrder } from '@ducat/testkit/fixtures';
import { realWorld } from '../../runtime/world.ts';
import { createOrderBatches } from './order-batches.ts';
import { createPoolFiller } from './pool-filler.ts';

let database: TestDatabase;
beforeEach(async () => {
  database = await openTestDatabase(inject('postgresAdminUrl'));
  await insertApp(database, { addresses: 40 });
});
afterEach(() => database.drop());

/** What the api would have; `sleep` stands for the pause between two looks at a pool. */
function batches(sleep: () => Promise<void>) {
  const { reader, transact } = database;
  const fillPool = createPoolFiller({ transact, addressSchemes });
  return createOrderBatches({
    reader,
    transact,
    fillPool,
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
  const placed = await orders.place({ order: testOrder({ tradeNo: 'ord_1' }), hosted: null });
  expect([placed.tradeNo, pauses]).toEqual(['ord_1', 3]);
});

it('gives each of many parallel requests its own order', async () => {
  const orders = batches(() => Promise.resolve());
  const tradeNos = Array.from({ length: 30 }, (_, place) => `ord_${place}`);
  const placed = await Promise.all(
    tradeNos.map((tradeNo) => orders.place({ order: testOrder({ tradeNo }), hosted: null })),
  );
  expect(placed.map(({ tradeNo }) => tradeNo)).toEqual(tradeNos);
  expect(new Set(placed.map(({ address }) => address)).size).toBe(30);
  const found = await Promise.all(tradeNos.map((tradeNo) => orders.find({ appId: 'app_1', tradeNo })));
  expect(found.map((order) => order?.address)).toEqual(placed.map(({ address }) => address));
  expect(await orders.find({ appId: 'app_2', tradeNo: 'ord_1' })).toBeNull();
});
