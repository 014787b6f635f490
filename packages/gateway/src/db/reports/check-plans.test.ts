// What the checks of the books ask, planned for any values: no statement reads a table that grows with the orders.
import { openTestDatabase, type TestDatabase } from '@ducat/testkit/database';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { USED_ADDRESSES } from '../tables/addresses.ts';
import { ABOVE_FINAL, BOOKINGS, ENTRIES, FINAL_EVENTS, ORDERS, TRANSFERS } from './audit/statements.ts';
import { TOUCHED_CURRENCIES } from './touched-addresses.ts';

const ROWS = 20_000;

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase(inject('postgresAdminUrl'));
  await database.transact(async (tx) => {
    // Without the checks of foreign keys and the triggers of the ledger, which take most of the time.
    await tx.write(`SET LOCAL session_replication_role = 'replica'`, []);
    for (const sql of FILL) await tx.write(sql, []);
  }, 'unhurried');
  await database.reader.read('VACUUM ANALYZE', []);
});
afterAll(() => database.drop());

const SERIES = `FROM generate_series(1, ${ROWS}) AS n`;
const FILL = [
  `INSERT INTO addresses (app_id, family, derivation_index, address) SELECT 'a', 'evm', n, '0x' || n ${SERIES}`,
  `INSERT INTO orders (trade_no, app_id, out_trade_no, input_hash, mode, chain, currency_id, address_id, address, due,
     collected, tolerance_ppm, status, create_time, time_expire)
   SELECT 'ord_' || n, 'a', n, '', 'NATIVE', 'ETH', 1001, n, '0x' || n, 1, 1, 0, 'PAID', n, n ${SERIES}`,
  `INSERT INTO order_keys SELECT 'a', n, 'ord_' || n ${SERIES}`,
  `INSERT INTO transfers (chain, tx_id, position, ordinal, currency_id, from_address, to_address, units, block_number,
     block_hash, block_time, state, disposition, address_id, app_id, trade_no)
   SELECT 'ETH', md5(n::text), 'log:0', 1, 1001, '', '', 1, n, '', n, 'final', 'payment', n, 'a', 'ord_' || n ${SERIES}`,
  `INSERT INTO entries (fact, reference, at_ms) SELECT 'deposit', 'ETH/' || md5(n::text) || '/log:0', 0 ${SERIES}`,
  `INSERT INTO postings SELECT n, a, 1001, CASE a WHEN 1 THEN -1 ELSE 1 END ${SERIES}, generate_series(1, 2) AS a`,
  `INSERT INTO events (event_id, app_id, trade_no, type, status, final, body, state, created_at_ms)
   SELECT 'evt_' || n, 'a', 'ord_' || n, 'PAYMENT', 'PAID', true, '', 'unsent', 0 ${SERIES}`,
  `INSERT INTO final_events SELECT 'ord_' || n, 'PAID', 'evt_' || n ${SERIES}`,
];

const GROWING =
  /Seq Scan on (?:addresses|orders|order_keys|transfers|entries|postings|events|final_events)\b/;

it.each<readonly [string, string]>([
  ['used addresses', USED_ADDRESSES],
  ['what moved', TOUCHED_CURRENCIES],
  ['transfers above the final block', `${ABOVE_FINAL} LIMIT 100`],
  ...[...ENTRIES, ...BOOKINGS, ...TRANSFERS, ...ORDERS, ...FINAL_EVENTS].map(
    (sql) => [sql.slice(15, 60), `${sql} LIMIT 100`] as const,
  ),
])('%s', async (_, sql) => {
  const rows = await database.reader.read<{ 'QUERY PLAN': string }>(`EXPLAIN (GENERIC_PLAN) ${sql}`, []);
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
  expect(plan).toMatch(/Index/);
  expect(plan).not.toMatch(GROWING);
  // The primary key of addresses would walk past those of the other family.
  expect(plan).not.toMatch(/addresses_pkey on addresses d\b/);
});
