// Orders are opened once per out_trade_no, each on an address of its own.
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import type { Reader } from '../../db/postgres/tx.ts';
import { openTestDatabase, type TestDatabase } from '@ducat/testkit/database';
import { insertApp, insertTestOrder, testOrder } from '@ducat/testkit/fixtures';
import { placeOrders } from './place-orders.ts';

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

describe('placeOrders', () => {
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

  it('gives each of many what became of it: written, standing under its number, or without an address', async () => {
    await insertApp(database, { appId: 'app_2', account: 2, addresses: 1 });
    const standing = await insertTestOrder(database, { tradeNo: 'ord_1', outTradeNo: 'a' });
    const orders = [
      { tradeNo: 'ord_2', outTradeNo: 'a' },
      { tradeNo: 'ord_3', outTradeNo: 'b' },
      { tradeNo: 'ord_4', outTradeNo: 'b' },
      { tradeNo: 'ord_5', outTradeNo: 'b', appId: 'app_2' },
      { tradeNo: 'ord_6', outTradeNo: 'c', appId: 'app_2' },
    ].map((change) => ({ order: testOrder(change), hosted: null }));
    const placed = await placeOrders(database.transact, database.reader, orders);
    expect(placed.map((one) => [one.outcome, 'order' in one ? one.order.tradeNo : ''])).toEqual([
      ['exists', 'ord_1'],
      ['created', 'ord_3'],
      ['exists', 'ord_3'],
      ['created', 'ord_5'],
      ['pool-empty', ''],
    ]);
    expect(placed[0]).toEqual({ outcome: 'exists', order: standing });
    expect(await addressesTaken()).toBe(3);
  });

  it('reads all orders that stand already by one statement', async () => {
    const tradeNos = Array.from({ length: 10 }, (_, place) => `ord_${place}`);
    for (const tradeNo of tradeNos) await insertTestOrder(database, { tradeNo });
    let reads = 0;
    const reader: Reader = {
      read: (sql, values) => {
        reads += 1;
        return database.reader.read(sql, values);
      },
    };
    const again = [...tradeNos, 'ord_new'].map((tradeNo) => ({
      order: testOrder({ tradeNo: `${tradeNo}_again`, outTradeNo: tradeNo }),
      hosted: null,
    }));
    const placed = await placeOrders(database.transact, reader, again);
    expect(placed.map((one) => ('order' in one ? one.order.tradeNo : ''))).toEqual([
      ...tradeNos,
      'ord_new_again',
    ]);
    expect(reads).toBe(1);
  });

  it('writes nothing in a currency that is off for the app, nor on a chain that is halted or not read yet', async () => {
    const standing = await insertTestOrder(database, { tradeNo: 'ord_1', outTradeNo: 'a' });
    await database.transact(async (tx) => {
      await tx.write("INSERT INTO app_currencies_off (app_id, currency_id) VALUES ('app_1', 2000)", []);
      await tx.write("INSERT INTO chain_cursors (chain, updated_at_ms) VALUES ('BSC', 0)", []);
    });
    const ETH_USDT = testOrder().currencyId;
    const orders = [
      { tradeNo: 'ord_2', outTradeNo: 'a', currencyId: 2000 },
      { tradeNo: 'ord_3', outTradeNo: 'b', currencyId: 2000 },
      { tradeNo: 'ord_4', outTradeNo: 'c', chain: 'BSC' },
      { tradeNo: 'ord_5', outTradeNo: 'd', currencyId: ETH_USDT },
    ].map((change) => ({ order: testOrder(change), hosted: null }));
    const place = async () => {
      const placed = await placeOrders(database.transact, database.reader, orders);
      return placed.map(({ outcome }) => outcome);
    };
    // What stands is found all the same.
    expect(await place()).toEqual(['exists', 'closed', 'closed', 'created']);
    await database.transact((tx) =>
      tx.write("UPDATE chain_cursors SET head_number = 7, head_hash = '0x', halted_reason = 'deep fork'", []),
    );
    expect(await place()).toEqual(['exists', 'closed', 'closed', 'exists']);
    await database.transact((tx) => tx.write('UPDATE chain_cursors SET halted_reason = NULL', []));
    expect(await place()).toEqual(['exists', 'closed', 'created', 'exists']);
    expect([standing.tradeNo, await addressesTaken()]).toEqual(['ord_1', 3]);
  });

  it('writes the choices of a hosted order beside plain ones', async () => {
    const placed = await placeOrders(database.transact, database.reader, [
      { order: testOrder({ tradeNo: 'ord_1' }), hosted: null },
      {
        order: testOrder({ tradeNo: 'ord_2', mode: 'HOSTED' }),
        hosted: { subject: 'A book', offered: null, isChosen: false },
      },
    ]);
    expect(placed.map(({ outcome }) => outcome)).toEqual(['created', 'created']);
    const rows = await database.reader.read('SELECT trade_no, subject FROM hosted_orders', []);
    expect(rows).toEqual([{ trade_no: 'ord_2', subject: 'A book' }]);
  });

  it('says so where the order that stands is not there to be read: another server answers now', async () => {
    await insertTestOrder(database, { tradeNo: 'ord_1', outTradeNo: 'a' });
    const behind: Reader = {
      read: (sql, values) =>
        database.reader.read(sql.replaceAll('order_keys', '(TABLE order_keys LIMIT 0)'), values),
    };
    const again = ['a', 'b'].map((outTradeNo) => ({
      order: testOrder({ tradeNo: `ord_${outTradeNo}`, outTradeNo }),
      hosted: null,
    }));
    const placed = await placeOrders(database.transact, behind, again);
    expect(placed.map(({ outcome }) => outcome)).toEqual(['unseen', 'created']);
  });

  it('says so when the pool is empty', async () => {
    await insertApp(database, { appId: 'app_2', account: 2, addresses: 0 });
    await expect(insertTestOrder(database, { appId: 'app_2', tradeNo: 'ord_x' })).rejects.toThrow(/pool/);
  });
});
