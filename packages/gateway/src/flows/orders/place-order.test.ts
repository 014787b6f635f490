// Orders are opened once per out_trade_no, each on an address of its own.
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { Outage } from '../../runtime/outage.ts';
import type { Reader } from '../../db/postgres/tx.ts';
import { openTestDatabase, type TestDatabase } from '@ducat/testkit/database';
import { insertApp, insertTestOrder } from '@ducat/testkit/fixtures';

let database: TestDatabase;

beforeEach(async () => {
  database = await openTestDatabase(inject('postgresAdminUrl'));
  await insertApp(database, { addresses: 20 });
});

afterEach(() => database.drop());

async function addressesTaken(): Promise<number> {
  const rows = await database.reader.read<{ taken: number }>(
    'SELECT count(*) AS taken FROM addresses WHERE trade_no IS NOT NULL',
    [],
  );
  return rows[0]?.taken ?? -1;
}

describe('placeOrder', () => {
  // hits mark: one-order-per-out-trade-no
  it('opens one order when twenty requests with one out_trade_no come at once, and takes one address', async () => {
    const orders = await Promise.all(
      Array.from({ length: 20 }, (_, place) =>
        insertTestOrder(database, { tradeNo: `ord_${place}`, outTradeNo: 'same' }),
      ),
    );
    expect(new Set(orders.map((order) => order.tradeNo)).size).toBe(1);
    expect(await addressesTaken()).toBe(1);
  });

  it('gives twenty orders twenty addresses when they come at once', async () => {
    const orders = await Promise.all(
      Array.from({ length: 20 }, (_, place) => insertTestOrder(database, { tradeNo: `ord_${place}` })),
    );
    expect(new Set(orders.map((order) => order.address)).size).toBe(20);
  });

  it('is an outage where the order that stands is not there to be read: another server answers now', async () => {
    await insertTestOrder(database, { tradeNo: 'ord_1', outTradeNo: 'same' });
    const behind: Reader = { read: () => Promise.resolve([]) };
    const again = insertTestOrder({ ...database, reader: behind }, { tradeNo: 'ord_2', outTradeNo: 'same' });
    await expect(again).rejects.toBeInstanceOf(Outage);
  });

  it('says so when the pool is empty', async () => {
    await insertApp(database, { appId: 'app_2', account: 2, addresses: 0 });
    await expect(insertTestOrder(database, { appId: 'app_2', tradeNo: 'ord_x' })).rejects.toThrow(/pool/);
  });
});
