// A database is partitioned without losing a row or a guarantee, and a run that was broken off goes on where it was.
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { openTestDatabase, type TestDatabase } from '@ducat/testkit/database';
import { bookBlock, headerAt, insertApp, insertTestOrder, transferTo } from '@ducat/testkit/fixtures';
import { newTradeNo } from '../../runtime/ids.ts';
import { migrate } from '../postgres/migrations/migrate.ts';
import { auditBooks } from '../reports/audit.ts';
import { findOrder } from '../tables/orders/orders.ts';
import { addPartitions } from './create-partitions.ts';
import { partitionedTables } from './layout.ts';
import { partitionDatabase, planPartitions, readOthersConnected } from './partition-database.ts';

const NOW_MS = Date.UTC(2026, 10, 22);
const options = { nowMs: NOW_MS, hashPartitions: 3 };

let database: TestDatabase;
let tradeNos: readonly string[];

beforeEach(async () => {
  database = await openTestDatabase(inject('postgresAdminUrl'));
  await insertApp(database);
  await database.transact((tx) => tx.write('UPDATE apps SET created_at_ms = $1', [Date.UTC(2026, 8, 30)]));
  tradeNos = [Date.UTC(2026, 9, 1), Date.UTC(2026, 9, 31), NOW_MS].map((atMs) =>
    newTradeNo({ nowMs: () => atMs, random: (bytes) => new Uint8Array(bytes).fill(7) }),
  );
  const block = headerAt(1);
  const transfers = [];
  for (const tradeNo of tradeNos) {
    const order = await insertTestOrder(database, { tradeNo });
    transfers.push(transferTo(order.address, block));
  }
  await bookBlock(database, { header: block, transfers, final: block });
});
afterEach(() => database.drop());

function run(report: (line: string) => void = () => undefined): Promise<void> {
  return partitionDatabase(database, options, report);
}

async function rowsIn(table: string): Promise<Record<string, number>> {
  const rows = await database.reader.read<{ partition: string; rows: number }>(
    `SELECT tableoid::regclass::text AS partition, count(*) AS rows FROM ${table} GROUP BY 1 ORDER BY 1`,
    [],
  );
  return Object.fromEntries(rows.map(({ partition, rows: count }) => [partition, count]));
}

/** What holds the tables together: keys, references and triggers of those that are no partitions. */
async function guarantees(): Promise<readonly string[]> {
  const rows = await database.reader.read<{ line: string }>(
    `SELECT format('%s %s %s', conrelid::regclass, conname, pg_get_constraintdef(c.oid)) AS line FROM pg_constraint c
     JOIN pg_class ON pg_class.oid = conrelid WHERE conparentid = 0 AND NOT relispartition
       AND connamespace = 'public'::regnamespace AND contype <> 'n'
     UNION ALL SELECT format('%s %s', tgrelid::regclass, tgname) FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid
       WHERE NOT tgisinternal AND NOT relispartition
     UNION ALL SELECT indexrelid::regclass::text FROM pg_index JOIN pg_class ON pg_class.oid = indrelid
       WHERE NOT relispartition AND relnamespace = 'public'::regnamespace
     ORDER BY 1`,
    [],
  );
  return rows.map(({ line }) => line);
}

describe('partitionDatabase', () => {
  it('cuts the tables, and keeps every row and every guarantee', async () => {
    const before = await guarantees();
    await run();
    expect(await rowsIn('orders')).toEqual({ orders_2026_10: 2, orders_2026_11: 1 });
    const spread = await rowsIn('transfers');
    expect(Object.values(spread).reduce((sum, count) => sum + count)).toBe(3);
    expect(await rowsIn('postings')).toEqual({ postings_n00000: 9 });
    // Of this one index each partition has its own.
    expect(await guarantees()).toEqual(before.filter((line) => line !== 'orders_live_address'));
    expect(await auditBooks(database.reader)).toEqual([]);
    const orders = await Promise.all(tradeNos.map((one) => findOrder(database.reader, 'app_1', one)));
    expect(orders.map((order) => order?.status)).toEqual(['PAID', 'PAID', 'PAID']);
    expect(await planPartitions(database.reader, options)).toMatchObject(
      partitionedTables.map(({ table }) => ({ table, state: 'partitioned', partitions: [] })),
    );
  });

  it('has nothing to do the second time', async () => {
    await run();
    const said: string[] = [];
    await run((line) => said.push(line));
    expect(said).toEqual(partitionedTables.map(({ table }) => `${table}: partitioned already`));
  });

  it('goes on after it was broken off, and no gateway starts meanwhile', async () => {
    const stop = (line: string) => {
      if (line.startsWith('transfers:')) throw new Error('killed');
    };
    await expect(run(stop)).rejects.toThrow('killed');
    await expect(migrate(database, 0)).rejects.toThrow('the table transfers is being partitioned');
    expect((await planPartitions(database.reader, options)).map(({ state }) => state).slice(0, 3)).toEqual([
      'partitioned',
      'copying',
      'plain',
    ]);
    await run();
    expect(await migrate(database, 0)).toEqual([]);
    expect(await auditBooks(database.reader)).toEqual([]);
  });

  it('refuses to go on with a copy that differs, and leaves the table as it was', async () => {
    const stop = (line: string) => {
      if (line.startsWith('orders: 3 rows copied')) throw new Error('killed');
    };
    await expect(run(stop)).rejects.toThrow('killed');
    await database.transact((tx) => tx.write('UPDATE orders_partitioned SET collected = collected + 1', []));
    await expect(run()).rejects.toThrow('orders: the copy differs from the table (3 and 3 rows)');
    expect(await rowsIn('orders_plain')).toEqual({ orders_plain: 3 });
  });
});

describe('partitioned tables', () => {
  it('keep what was unique unique, and postings as they were written', async () => {
    await run();
    const { transact } = database;
    const again = insertTestOrder(database, { tradeNo: 'ord_9', outTradeNo: tradeNos[0] ?? '' });
    expect((await again).tradeNo).toBe(tradeNos[0]);
    await insertTestOrder(database, { tradeNo: 'ord_10' });
    const copy = `INSERT INTO orders SELECT (o).* FROM (
      SELECT jsonb_populate_record(o, '{"trade_no": "ord_11"}') AS o FROM orders o WHERE trade_no = 'ord_10') AS copied`;
    await expect(transact((tx) => tx.write(copy, []))).rejects.toThrow('orders_rest_live_address');
    const twice = `INSERT INTO transfers SELECT * FROM transfers LIMIT 1`;
    await expect(transact((tx) => tx.write(twice, []))).rejects.toThrow('_pkey');
    for (const table of ['postings', 'postings_n00000'])
      await expect(transact((tx) => tx.write(`DELETE FROM ${table}`, []))).rejects.toThrow('append-only');
    const unbalanced = 'INSERT INTO postings SELECT max(entry_id), 1, 1001, 5 FROM entries';
    await expect(transact((tx) => tx.write(unbalanced, []))).rejects.toThrow();
  });

  it('get their partitions a year ahead, with what each needs of its own', async () => {
    await run();
    const [orders, transfers, postings] = partitionedTables;
    const add = (table: typeof orders, nowMs: number) =>
      database.transact((tx) => addPartitions(tx, table!, nowMs));
    expect(await add(orders, NOW_MS)).toEqual([]);
    expect(await add(transfers, NOW_MS)).toEqual([]);
    expect(await add(orders, Date.UTC(2027, 0, 1))).toEqual(['orders_2027_12', 'orders_2028_01']);
    const indexes = await database.reader.read<{ name: string }>(
      `SELECT indexrelid::regclass::text AS name FROM pg_index WHERE indrelid = 'orders_2028_01'::regclass AND indisunique ORDER BY 1`,
      [],
    );
    expect(indexes.map(({ name }) => name)).toEqual(['orders_2028_01_live_address', 'orders_2028_01_pkey']);
    await database.transact((tx) =>
      tx.write(
        `INSERT INTO entries (entry_id, fact, reference, at_ms) OVERRIDING SYSTEM VALUE VALUES (25000000, 'deposit', 'x', 0)`,
        [],
      ),
    );
    expect(await add(postings, NOW_MS)).toEqual(['postings_n00003']);
    const leaf = `DELETE FROM postings_n00003`;
    await expect(database.transact((tx) => tx.write(leaf, []))).rejects.toThrow('append-only');
  });
});

describe('readOthersConnected', () => {
  it('names other connections and not its own', async () => {
    const others = await database.transact(() => readOthersConnected(database.reader));
    expect(others).toHaveLength(1);
  });
});
