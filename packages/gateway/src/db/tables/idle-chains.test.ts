// What makes a chain one in use, and that this is found by index, also where many orders are open on other chains.
import { eth } from '@ducat/core/chain/definitions/eth';
import { openTestDatabase, type TestDatabase } from '@ducat/testkit/database';
import { insertApp } from '@ducat/testkit/fixtures';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { explainReads, planModes } from '@ducat/testkit/reports/explained-reads';
import { readChainsInUse } from './idle-chains.ts';

const ORDERS = 60_000;
const BSC = { ...eth, name: 'BSC' };
const TRON = { name: 'Tron', family: 'tron' } as const;

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase(inject('postgresAdminUrl'));
  await insertApp(database, { addresses: 1 });
  await insert(
    `INSERT INTO orders (trade_no, app_id, out_trade_no, input_hash, mode, chain, currency_id, address_id, address, due,
       collected, tolerance_ppm, status, create_time, time_expire)
     SELECT 'ord_' || n, 'app_1', n, '', 'NATIVE', CASE WHEN n % 3 = 0 THEN 'ETH' ELSE 'BSC' END, 1001, 1, '0x' || n, 1, 0, 0,
       CASE WHEN n % 3 <> 0 AND n % 5 = 0 THEN 'TO-BE-PAID' ELSE 'PAID' END, n, n
     FROM generate_series(1, ${ORDERS}) AS n`,
  );
  await database.reader.read('VACUUM ANALYZE', []);
});
afterAll(() => database.drop());

/** Inserts rows without the rows that they refer to. */
const insert = (sql: string) =>
  database.transact(async (tx) => {
    await tx.write(`SET LOCAL session_replication_role = 'replica'`, []);
    await tx.write(sql, []);
  }, 'unhurried');

const inUse = async (nowMs = 0) => [...(await readChainsInUse(database.reader, [eth, BSC, TRON], nowMs))];

it('reads no table from its beginning', async () => {
  const reads = explainReads(database, null);
  expect(await readChainsInUse(reads.reader, [eth, BSC], 0)).toEqual(new Set(['BSC']));
  const explained = reads.take();
  expect(explained).toHaveLength(planModes.length);
  for (const one of explained) {
    expect(one.wholeReads).toEqual([]);
    expect(one.indexes).toContain('orders_to_expire');
    // The two chains that were asked for.
    expect(one.rows).toBeLessThanOrEqual(2);
  }
});

it.each([
  [
    'a proposed internal transaction',
    'transfers',
    `INSERT INTO transfers (chain, tx_id, position, ordinal, currency_id, from_address, to_address, units, block_number,
       block_hash, block_time, state, address_id)
     SELECT 'Tron', 'tx', 'internal:0', 1, 1000, '', '', 1, 1, '', 1, 'proposed', 1`,
  ],
  [
    'an open outgoing transaction',
    'outgoing_transactions',
    `INSERT INTO outgoing_transactions (outgoing_id, sender_id, chain, subject_kind, subject_id, subject, currency_id,
       to_address, units, fee_cap, state, next_at_ms, created_at_ms)
     SELECT 'out_1', 1, 'Tron', 'payout', 'pay_1', '{}', 1001, '0xpayee', 1, 1, 'waiting', 1, 1`,
  ],
])('counts a chain with %s as in use, and no other', async (_, table, sql) => {
  await insert(sql);
  expect(await inUse()).toEqual(['BSC', 'Tron']);
  await insert(`DELETE FROM ${table}`);
  expect(await inUse()).toEqual(['BSC']);
});

it('counts a chain with a payout that may be sent as in use, and not with one that waits for an approval', async () => {
  await insert(
    `INSERT INTO payouts (trade_no, app_id, idempotency_key, signature, input_hash, chain, currency_id, to_address,
       amount, service_charge, gas, receipt, reserved, fee_currency_id, network_fee, fee_cap, status, needs_approval,
       approved_until, create_time)
     VALUES ('pay_1', 'app_1', 'k', 's', 'h', 'Tron', 1001, 'payee', 1, 0, 0, 1, 1, 1000, 0, 0, 'PROGRESS', true, 100, 0)`,
  );
  expect(await inUse(99_999)).toEqual(['BSC', 'Tron']);
  expect(await inUse(100_000)).toEqual(['BSC']);
  await insert('UPDATE payouts SET needs_approval = false');
  expect(await inUse(100_000)).toEqual(['BSC', 'Tron']);
  await insert('UPDATE payouts SET claimed = true');
  expect(await inUse(100_000)).toEqual(['BSC']);
});
