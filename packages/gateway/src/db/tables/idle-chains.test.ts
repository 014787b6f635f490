// An idle chain is recognized by index, also where many orders are open on other chains.
import { eth } from '@ducat/core/chain/definitions/eth';
import { openTestDatabase, type TestDatabase } from '@ducat/testkit/database';
import { insertApp } from '@ducat/testkit/fixtures';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { explainReads, planModes } from '@ducat/testkit/reports/explained-reads';
import { isIdle } from './idle-chains.ts';

const ORDERS = 60_000;

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase(inject('postgresAdminUrl'));
  await insertApp(database, { addresses: 1 });
  await database.transact(async (tx) => {
    await tx.write(`SET LOCAL session_replication_role = 'replica'`, []);
    await tx.write(
      `INSERT INTO orders (trade_no, app_id, out_trade_no, input_hash, mode, chain, currency_id, address_id, address, due,
         collected, tolerance_ppm, status, create_time, time_expire)
       SELECT 'ord_' || n, 'app_1', n, '', 'NATIVE', CASE WHEN n % 3 = 0 THEN 'ETH' ELSE 'BSC' END, 1001, 1, '0x' || n, 1, 0, 0,
         CASE WHEN n % 3 <> 0 AND n % 5 = 0 THEN 'TO-BE-PAID' ELSE 'PAID' END, n, n
       FROM generate_series(1, $1::integer) AS n`,
      [ORDERS],
    );
  }, 'unhurried');
  await database.reader.read('VACUUM ANALYZE', []);
});
afterAll(() => database.drop());

it('reads no table from its beginning', async () => {
  const reads = explainReads(database, null);
  expect(await isIdle(reads.reader, eth)).toBe(true);
  expect(await isIdle(reads.reader, { ...eth, name: 'BSC' })).toBe(false);
  const explained = reads.take();
  expect(explained).toHaveLength(2 * planModes.length);
  for (const one of explained) {
    expect(one.wholeReads).toEqual([]);
    expect(one.indexes).toContain('orders_to_expire');
    expect(one.rows).toBeLessThanOrEqual(1);
  }
});
