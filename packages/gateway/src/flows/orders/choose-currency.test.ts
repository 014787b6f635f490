// A payer's choice must not turn an order away from money that a reorg took and that comes back.
import { amountOf } from '@ducat/core/money/amount';
import { openTestDatabase, type TestDatabase } from '@ducat/testkit/database';
import {
  bookBlock,
  headerAt,
  insertApp,
  START_TIME,
  TEST_LEASE,
  testOrder,
  transferTo,
} from '@ducat/testkit/fixtures';
import { afterEach, beforeEach, expect, inject, it } from 'vitest';
import { auditBooks } from '../../db/reports/audit.ts';
import { findOrder } from '../../db/tables/orders/orders.ts';
import { undoBlocks } from '../blocks/undo-blocks.ts';
import { chooseCurrency } from './choose-currency.ts';
import { placeOrders } from './place-orders.ts';

const USDT_BSC = 2001;
let database: TestDatabase;
let address: string;

beforeEach(async () => {
  database = await openTestDatabase(inject('postgresAdminUrl'));
  await insertApp(database, { addresses: 1 });
  const hosted = { subject: null, offered: null, isChosen: true };
  const wanted = { order: testOrder({ mode: 'HOSTED' }), hosted };
  const [placed] = await placeOrders(database.transact, database.reader, [wanted]);
  if (placed?.outcome !== 'created') throw new Error('the order was not written');
  ({ address } = placed.order);
});
afterEach(() => database.drop());

function chooseBsc() {
  const choice = { chain: 'BSC', family: 'evm', currencyId: USDT_BSC, due: amountOf(USDT_BSC, 10n ** 19n) };
  const at = { quote: null, nowMs: (START_TIME + 60) * 1000 };
  return database.transact((tx) => chooseCurrency(tx, { tradeNo: 'ord_1', ...choice, ...at }));
}

it('changes an order to which nothing was ever sent', async () => {
  expect(await chooseBsc()).toBe('chosen');
  expect(await findOrder(database.reader, 'app_1', 'ord_1')).toMatchObject({ currencyId: USDT_BSC });
});

it('stays as it is once a reorg took the payment away, so the payment counts when it comes back', async () => {
  const ancestor = headerAt(1);
  const gone = headerAt(2);
  const txId = '0xreturns';
  await bookBlock(database, { header: ancestor });
  await bookBlock(database, { header: gone, transfers: [transferTo(address, gone, { txId })] });
  const undo = { chain: 'ETH', tip: gone, ancestor, nowMs: 0, lease: TEST_LEASE };
  expect(await database.transact((tx) => undoBlocks(tx, undo))).toMatchObject({ orphaned: 1 });
  expect(await chooseBsc()).toBe('locked');

  // Much later than a page says that the payment may come back.
  const rest = Array.from({ length: 99 }, (_, place) =>
    headerAt(place + 2, { branch: 'b', parent: place === 0 ? 'a' : 'b' }),
  );
  for (const header of rest) await bookBlock(database, { header });
  expect(await chooseBsc()).toBe('locked');

  const back = headerAt(101, { branch: 'b' });
  await bookBlock(database, { header: back, transfers: [transferTo(address, back, { txId })], final: back });
  expect(await findOrder(database.reader, 'app_1', 'ord_1')).toMatchObject({
    status: 'PAID',
    lastTxId: txId,
  });
  expect(await auditBooks(database.reader)).toEqual([]);
});
