// What a payment page is made from: order and transfers of one moment, found by index however many orders are asked for.
import { eth } from '@ducat/core/chain/definitions/eth';
import { amountOf } from '@ducat/core/money/amount';
import { progressOf } from '@ducat/core/order/payment-progress';
import { openTestDatabase, type TestDatabase } from '@ducat/testkit/database';
import {
  bookBlock,
  headerAt,
  insertApp,
  insertTestOrder,
  plainWriting,
  START_TIME,
  TEST_LEASE,
  transferTo,
  USDT,
} from '@ducat/testkit/fixtures';
import { explainReads, planModes } from '@ducat/testkit/reports/explained-reads';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { settleFinal } from '../../../flows/blocks/settle-final.ts';
import type { Reader } from '../../postgres/tx.ts';
import { type CheckoutOrder, readCheckoutOrders } from './checkout-orders.ts';

async function readOne(reader: Reader): Promise<CheckoutOrder> {
  const order = (await readCheckoutOrders(reader, ['ord_none', 'ord_1'])).get('ord_1');
  if (order === undefined) throw new Error('the order was not found');
  return order;
}

describe('an order of a page', () => {
  let database: TestDatabase;
  let address: string;
  beforeEach(async () => {
    database = await openTestDatabase(inject('postgresAdminUrl'));
    await insertApp(database, { addresses: 1 });
    ({ address } = await insertTestOrder(database));
  });
  afterEach(() => database.drop());

  it('is of one moment with its transfers, though they become final while it is read', async () => {
    const header = headerAt(1);
    await bookBlock(database, { header, transfers: [transferTo(address, header)] });
    const settle = { ...plainWriting, chain: eth, lease: TEST_LEASE, nowMs: 0, final: header };
    let reads = 0;
    const order = await readOne({
      read: async (sql, values) => {
        if (++reads > 1) await database.transact((tx) => settleFinal(tx, settle));
        return database.reader.read(sql, values);
      },
    });
    const [currency] = eth.currencies.filter(({ currencyId }) => currencyId === USDT);
    const { transfers, head } = order;
    expect(
      progressOf({ order, transfers, head, currency: currency!, chain: eth, now: START_TIME }),
    ).toMatchObject({ state: 'seen', got: amountOf(USDT, 10_000_000n), missing: amountOf(USDT, 0n) });
  });

  it('has its transfers exactly, the newest first, and none that is only proposed', async () => {
    expect((await readOne(database.reader)).transfers).toEqual([]);
    const [first, second] = [headerAt(1), headerAt(2)];
    const units = 123_456_789_012_345_678_901_234_567_890n;
    const older = transferTo(address, first, { units, txId: '0xolder' });
    const proposal = transferTo(address, first, { txId: '0xproposed', position: 'trace:0' });
    await bookBlock(database, { header: first, transfers: [older], proposals: [proposal] });
    const newer = [0, 1].map((place) => transferTo(address, second, { position: `log:${place}` }));
    await bookBlock(database, { header: second, transfers: newer });
    expect(await readOne(database.reader)).toMatchObject({ head: 2 });
    expect((await readOne(database.reader)).transfers).toEqual(
      [...newer, older].map((transfer) => ({ ...transfer, block: blockOf(transfer.block), state: 'seen' })),
    );
  });
});

function blockOf({ number, hash, time }: CheckoutOrder['transfers'][number]['block']) {
  return { number, hash, time };
}

describe('the orders of all open pages', () => {
  const ORDERS = 200_000;
  const AT_ONCE = 2_000;
  let database: TestDatabase;
  beforeAll(async () => {
    database = await openTestDatabase(inject('postgresAdminUrl'));
    await insertApp(database, { addresses: 1 });
    await database.transact(async (tx) => {
      await tx.write(`SET LOCAL session_replication_role = 'replica'`, []);
      for (const sql of FILL) await tx.write(sql, []);
    }, 'unhurried');
    await database.reader.read('VACUUM ANALYZE', []);
  });
  afterAll(() => database.drop());

  const FILL = [
    `INSERT INTO orders (trade_no, app_id, out_trade_no, input_hash, mode, chain, currency_id, address_id, address, due,
       collected, tolerance_ppm, status, create_time, time_expire)
     SELECT 'ord_' || n, 'app_1', n, '', 'NATIVE', 'ETH', 1001, 1, '0x' || n, 1, 0, 0, 'TO-BE-PAID', n, n
     FROM generate_series(1, ${ORDERS}) AS n`,
    `INSERT INTO transfers (chain, tx_id, position, ordinal, currency_id, from_address, to_address, units, block_number,
       block_hash, block_time, state, address_id, app_id, trade_no)
     SELECT 'ETH', md5(n || '-' || t), '', t, 1001, '', '', 1, n, '', n, 'seen', 1, 'app_1', 'ord_' || n
     FROM generate_series(10, ${ORDERS}, 10) AS n, generate_series(1, 3) AS t`,
  ];

  it('are one statement that reads no more rows than they have', async () => {
    const reads = explainReads(database, null);
    const wanted = Array.from({ length: AT_ONCE }, (_, place) => `ord_${((place + 1) * ORDERS) / AT_ONCE}`);
    const orders = await readCheckoutOrders(reads.reader, wanted);
    expect([orders.size, orders.get('ord_100')?.transfers.length]).toEqual([AT_ONCE, 3]);
    const explained = reads.take();
    expect(explained).toHaveLength(planModes.length);
    for (const one of explained) {
      expect(one.wholeReads).toEqual([]);
      expect(one.indexes).toEqual(expect.arrayContaining(['orders_pkey', 'transfers_by_order']));
      expect(one.rows).toBeLessThanOrEqual(3 * AT_ONCE);
    }
  });
});
