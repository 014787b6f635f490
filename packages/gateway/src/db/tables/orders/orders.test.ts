// Taking an address costs the same however many were taken before.
import type { SqlValue, Tx } from '../../postgres/tx.ts';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { openTestDatabase, type TestDatabase } from '@ducat/testkit/database';
import { insertApp, insertTestOrder } from '@ducat/testkit/fixtures';

const ADDRESSES = 4_000;
const TAKEN = 3_000;

let database: TestDatabase;

beforeAll(async () => {
  database = await openTestDatabase(inject('postgresAdminUrl'), 2);
  await insertApp(database, { addresses: 0 });
  await database.transact(async (tx) => {
    await tx.write(
      `INSERT INTO addresses (app_id, family, derivation_index, address)
       SELECT app_id, 'evm', place, 'made-' || place FROM apps, generate_series(1, $1) AS place`,
      [ADDRESSES],
    );
    // What the database knows of the table is from before: every address is free.
    await tx.write('ANALYZE addresses', []);
  });
  await database.transact((tx) =>
    tx.write('UPDATE addresses SET retired = true WHERE derivation_index <= $1', [TAKEN]),
  );
});

afterAll(() => database.drop());

interface Plan {
  readonly 'Actual Rows': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly Plan[];
}

function mostRemoved(plan: Plan): number {
  return Math.max(plan['Rows Removed by Filter'] ?? 0, ...(plan.Plans ?? []).map(mostRemoved));
}

/** Sends a statement and gives how many rows one step of it looked at for nothing. */
async function rowsForNothing(tx: Tx, sql: string, values: readonly SqlValue[]): Promise<number> {
  const [row] = await tx.write<{ 'QUERY PLAN': readonly { readonly Plan: Plan }[] }>(
    `EXPLAIN (ANALYZE, FORMAT JSON) ${sql}`,
    values,
  );
  const plan = row?.['QUERY PLAN'][0]?.Plan;
  if (plan === undefined) throw new Error('no plan came back');
  return mostRemoved(plan);
}

function isOfFirst(value: SqlValue): boolean {
  return Array.isArray(value) && value[0] === 'ord_first';
}

describe('insertOrders', () => {
  it('does not walk past the addresses that were taken', async () => {
    const looked: number[] = [];
    const transact: TestDatabase['transact'] = (flow) =>
      database.transact((tx) => {
        const write = async <Row>(sql: string, values: readonly SqlValue[]) => {
          const rows = await tx.write<Row>(sql, values);
          await tx.write('SAVEPOINT seen', []);
          const again = values.map((value) => (isOfFirst(value) ? ['ord_second'] : value));
          looked.push(await rowsForNothing(tx, sql, again));
          await tx.write('ROLLBACK TO seen', []);
          return rows;
        };
        // The brand of a Tx exists for the compiler alone.
        return flow({ read: write, write } as Tx);
      });
    await insertTestOrder({ ...database, transact }, { tradeNo: 'ord_first' });
    expect(looked).toHaveLength(1);
    expect(Math.max(...looked)).toBeLessThan(10);
  });

  it('reads no whole table in the plan for all values, though its tables were counted while they were empty', async () => {
    const empty = await openTestDatabase(inject('postgresAdminUrl'), 2);
    try {
      await insertApp(empty, { addresses: 1 });
      await empty.transact((tx) => tx.write('ANALYZE', []));
      let plan = '';
      const transact: TestDatabase['transact'] = (flow) =>
        empty.requests.transact((tx) => {
          const write = async <Row>(sql: string, values: readonly SqlValue[]) => {
            const rows = await tx.write<{ 'QUERY PLAN': string }>(`EXPLAIN (GENERIC_PLAN) ${sql}`, []);
            plan = rows.map((row) => row['QUERY PLAN']).join('\n');
            return tx.write<Row>(sql, values);
          };
          return flow({ ...tx, write });
        });
      await insertTestOrder({ ...empty, transact }, { tradeNo: 'ord_1' });
      expect(plan).toContain('order_keys_pkey');
      expect(plan).not.toContain('Seq Scan');
    } finally {
      await empty.drop();
    }
  });
});
