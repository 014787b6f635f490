// Orders time out behind the final cursor only, once, and never beside a payment in time.
import { eth } from '@ducat/core/chain/definitions/eth';
import { amountOf, zero } from '@ducat/core/money/amount';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { findOrder, readChainsToExpire } from '../../db/tables/orders/orders.ts';
import { openTestDatabase, type TestDatabase } from '@ducat/testkit/database';
import {
  bookBlock,
  headerAt,
  insertApp,
  insertTestOrder,
  plainEncode,
  START_TIME,
  transferTo,
} from '@ducat/testkit/fixtures';
import { expireOrders } from './expire-orders.ts';

const EXPIRY = START_TIME + 1800;
let database: TestDatabase;
let events = 0;
const writing = { encode: plainEncode, newEventId: () => `evt_${++events}`, nowMs: (EXPIRY + 86_400) * 1000 };

beforeEach(async () => {
  database = await openTestDatabase(inject('postgresAdminUrl'));
  await insertApp(database);
});

afterEach(() => database.drop());

function accept(
  number: number,
  time: number,
  payTo: string | null,
  finalNumber: number | null,
): Promise<unknown> {
  const header = headerAt(number, { time });
  const transfers = payTo === null ? [] : [transferTo(payTo, header)];
  const final = finalNumber === null ? null : { number: finalNumber, hash: `a${finalNumber}` };
  return bookBlock(database, { header, transfers, final });
}

function expire(): Promise<number> {
  return database.transact((tx) => expireOrders(tx, { chain: eth, limit: 100, ...writing }));
}

describe('expireOrders', () => {
  it('waits while the chain has not passed the expiry, however late it is by the clock', async () => {
    await insertTestOrder(database);
    const chains = () => readChainsToExpire(database.reader);
    expect(await chains()).toEqual(new Set());
    expect(await expire()).toBe(0);
    await accept(1, EXPIRY, null, 1);
    expect(await expire()).toBe(0);
    await accept(2, EXPIRY + 1, null, null);
    expect(await chains()).toEqual(new Set());
    expect(await expire()).toBe(0);
    await accept(3, EXPIRY + 2, null, 2);
    expect(await chains()).toEqual(new Set([eth.name]));
    expect(await expire()).toBe(1);
    expect(await chains()).toEqual(new Set());
    expect((await findOrder(database.reader, 'app_1', 'ord_1'))?.status).toBe('TIME-OUT');
  });

  it('leaves an order alone that was paid in the last second but final only long after', async () => {
    const order = await insertTestOrder(database);
    await accept(1, EXPIRY, order.address, null);
    await accept(2, EXPIRY + 500, null, 2);
    expect(await expire()).toBe(0);
    expect((await findOrder(database.reader, 'app_1', 'ord_1'))?.status).toBe('PAID');
  });

  // hits mark: native-orders-wait-for-the-search
  it('leaves an order in the native currency alone until the search has passed its expiry', async () => {
    const terms = { due: amountOf(1000, 5n), collected: zero(1000), timeExpire: EXPIRY };
    await insertTestOrder(database, { currencyId: 1000, terms });
    await insertTestOrder(database, { tradeNo: 'ord_2' });
    await accept(1, EXPIRY + 1, null, null);
    await accept(2, EXPIRY + 2, null, 1);
    expect(await expire()).toBe(1);
    const search = (time: number) =>
      database.transact((tx) =>
        tx.write('UPDATE chain_cursors SET searched_number = 1, searched_time = $1', [time]),
      );
    await search(EXPIRY);
    expect(await expire()).toBe(0);
    await search(EXPIRY + 1);
    expect(await expire()).toBe(1);
    expect((await findOrder(database.reader, 'app_1', 'ord_1'))?.status).toBe('TIME-OUT');
  });

  it('sends one TIME-OUT when twenty processes and a late payment meet', async () => {
    const order = await insertTestOrder(database);
    await accept(1, EXPIRY + 1, order.address, null);
    await accept(2, EXPIRY + 2, null, null);
    await Promise.all([accept(3, EXPIRY + 3, null, 2), ...Array.from({ length: 20 }, () => expire())]);
    await expire();
    const rows = await database.reader.read<{ status: string }>('SELECT status FROM events', []);
    expect(rows).toEqual([{ status: 'TIME-OUT' }]);
    const found = await findOrder(database.reader, 'app_1', 'ord_1');
    expect(found?.collected).toEqual(order.due);
  });
});
