// What an address is expected to hold: both sides of every transfer that stands, up to a block.
import { amountOf } from '@ducat/core/money/amount';
import { openTestDatabase, type TestDatabase } from '@ducat/testkit/database';
import { bookBlock, headerAt, insertApp, insertTestOrder, transferTo, USDT } from '@ducat/testkit/fixtures';
import { afterEach, beforeEach, expect, inject, it } from 'vitest';
import { readExpectedBalances } from './expected-balances.ts';

const ETH = 1000;
let database: TestDatabase;

beforeEach(async () => {
  database = await openTestDatabase(inject('postgresAdminUrl'));
  await insertApp(database);
});
afterEach(() => database.drop());

it('adds what came, takes off what left, and knows neither orphaned nor proposed transfers', async () => {
  const one = await insertTestOrder(database);
  const two = await insertTestOrder(database, { tradeNo: 'ord_2' });
  const ids = await database.reader.read<{ id: number }>(
    'SELECT address_id AS id FROM addresses WHERE trade_no IS NOT NULL ORDER BY 1',
    [],
  );
  const [first = 0, second = 0] = ids.map(({ id }) => id);
  const [header, next] = [headerAt(1), headerAt(2)];
  const proposal = transferTo(two.address, header, { txId: 'p', amount: amountOf(ETH, 9n) });
  const transfers = [
    transferTo(one.address, header, { txId: 'in', units: 10n }),
    transferTo(one.address, header, { txId: 'self', units: 3n, from: one.address }),
    transferTo(two.address, header, { txId: 'own', units: 4n, from: one.address }),
  ];
  await bookBlock(database, { header, transfers, proposals: [proposal], final: header });
  const out = transferTo('0xstranger', next, { txId: 'out', from: two.address, amount: amountOf(ETH, 1n) });
  const gone = transferTo(two.address, next, { txId: 'gone', units: 50n });
  await bookBlock(database, { header: next, transfers: [out, gone] });
  await database.transact((tx) =>
    tx.write(`UPDATE transfers SET state = 'orphaned' WHERE tx_id = 'gone'`, []),
  );

  const expected = (atBlock: number, currencyIds?: readonly number[]) =>
    readExpectedBalances(database.reader, {
      chain: 'ETH',
      addressIds: [first, second],
      atBlock,
      ...(currencyIds === undefined ? {} : { currencyIds }),
    });
  const [six, four, spent] = [amountOf(USDT, 6n), amountOf(USDT, 4n), amountOf(ETH, -1n)];
  expect(await expected(0)).toEqual(new Map());
  expect(await expected(1)).toEqual(
    new Map([
      [first, new Map([[USDT, six]])],
      [second, new Map([[USDT, four]])],
    ]),
  );
  expect((await expected(2)).get(second)).toEqual(
    new Map([
      [USDT, four],
      [ETH, spent],
    ]),
  );
  expect(await expected(2, [ETH])).toEqual(new Map([[second, new Map([[ETH, spent]])]]));
});
