// Whether anybody waits is found by indexes, also where many orders are open and none of them on the chain.
import { eth } from '@ducat/core/chain/definitions/eth';
import { openTestDatabase, type TestDatabase } from '@ducat/testkit/database';
import { insertApp } from '@ducat/testkit/fixtures';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import type { Reader, SqlValue } from '../postgres/tx.ts';
import { isAwaited } from './awaited.ts';

const ORDERS = 60_000;

interface Plan {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly Plans?: readonly Plan[];
}

function allNodes(plan: Plan): readonly Plan[] {
  return [plan, ...(plan.Plans ?? []).flatMap(allNodes)];
}

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
  const read: Reader['read'] = async <Row>(sql: string, values: readonly SqlValue[]) => {
    const [row] = await database.reader.read<{ 'QUERY PLAN': readonly { Plan: Plan }[] }>(
      `EXPLAIN (FORMAT JSON) ${sql}`,
      values,
    );
    const wholeReads = allNodes(row!['QUERY PLAN'][0]!.Plan).filter((one) => one['Node Type'] === 'Seq Scan');
    expect(wholeReads.map((one) => one['Relation Name'])).not.toContain('orders');
    return database.reader.read<Row>(sql, values);
  };
  expect(await isAwaited({ read }, eth)).toBe(false);
  expect(await isAwaited({ read }, { ...eth, name: 'BSC' })).toBe(true);
});
