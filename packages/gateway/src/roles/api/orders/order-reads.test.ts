// An order that is asked for again is read in part, and each answer is the order as the database has it at that moment.
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { openTestDatabase, type TestDatabase } from '@ducat/testkit/database';
import {
  bookBlock,
  headerAt,
  insertApp,
  insertTestOrder,
  START_TIME,
  TEST_LEASE,
  transferTo,
} from '@ducat/testkit/fixtures';
import type { Reader } from '../../../db/postgres/tx.ts';
import { findOrder } from '../../../db/tables/orders/orders.ts';
import { undoBlocks } from '../../../flows/blocks/undo-blocks.ts';
import { createOrderReads } from './order-reads.ts';

const ORDER = { appId: 'app_1', tradeNo: 'ord_1' };
const RULES = { items: 64, runs: 2, mayBeOfOne: () => false, gather: (start: () => void) => start() };
/** All blocks of the chain are undone. */
const UNDONE = { chain: 'ETH', lease: TEST_LEASE, ancestor: null, nowMs: 0 };

let database: TestDatabase;
beforeEach(async () => {
  database = await openTestDatabase(inject('postgresAdminUrl'));
  await insertApp(database);
});
afterEach(() => database.drop());

/** One process: its reads of orders, how many columns each of its statements gave, what it watched, and its clock. */
function oneProcess() {
  const columns: number[] = [];
  const watchedWorks: Promise<unknown>[] = [];
  const clock = { nowMs: START_TIME * 1_000 };
  const reader: Reader = {
    read: async (sql, values) => {
      const rows = await database.reader.read<Record<string, unknown>>(sql, values);
      columns.push(Object.keys(rows[0] ?? {}).length);
      return rows as never;
    },
  };
  const watched = <T>(work: Promise<T>) => {
    watchedWorks.push(work);
    return work;
  };
  const find = createOrderReads({ reader, rules: RULES, world: { nowMs: () => clock.nowMs }, watched });
  return { columns, clock, find, watchedWorks };
}

/** What the database has now, by a read in full. */
const stored = () => findOrder(database.reader, ORDER.appId, ORDER.tradeNo);

const write = (sql: string) => database.transact((tx) => tx.write(sql, []));

describe('an order that is asked for again', () => {
  it('is read by three columns as long as its row is the same', async () => {
    await insertTestOrder(database);
    const { find, columns } = oneProcess();
    for (let times = 0; times < 3; times++) expect(await find(ORDER)).toEqual(await stored());
    expect(columns).toEqual([expect.toSatisfy((count: number) => count > 20), 3, 3]);
  });

  // hits mark: a-remembered-order-is-the-stored-one
  it('shows each change at once, in every process that remembered it', async () => {
    const { address } = await insertTestOrder(database);
    const processes = [oneProcess(), oneProcess()];
    const paid = headerAt(1);
    const pay = () =>
      bookBlock(database, { header: paid, transfers: [transferTo(address, paid)], final: null });
    const changes = [
      pay,
      () => database.transact((tx) => undoBlocks(tx, { ...UNDONE, tip: { number: 1, hash: 'a1' } })),
      pay,
      () => bookBlock(database, { header: headerAt(2), transfers: [], final: { number: 1, hash: 'a1' } }),
      () => write('UPDATE chain_cursors SET head_number = head_number + 7'),
      () => write("UPDATE orders SET quote = '{}'"),
    ];
    const seen: string[] = [];
    for (const change of changes) {
      for (const { find } of processes) await find(ORDER);
      await change();
      const now = await stored();
      for (const { find } of processes) expect(await find(ORDER)).toEqual(now);
      seen.push(`${now?.status} ${now?.newestBlock} ${now?.head} ${now?.isQuoteDamaged}`);
    }
    expect(seen).toEqual([
      'TO-BE-PAID 1 1 false',
      'TO-BE-PAID null null false',
      'TO-BE-PAID 1 1 false',
      'PAID 1 2 false',
      'PAID 1 9 false',
      'PAID 1 9 true',
    ]);
  });

  it('is watched for each statement by itself', async () => {
    await insertTestOrder(database);
    const { find, watchedWorks } = oneProcess();
    await find(ORDER);
    await write("UPDATE orders SET redirect_url = 'http://shop.test/thanks'");
    await find(ORDER);
    expect(watchedWorks).toHaveLength(3);
  });

  it('is another version on another server, whatever the number of the transaction', async () => {
    await insertTestOrder(database);
    const [{ server } = { server: '' }] = await database.reader.read<{ readonly server: string }>(
      'SELECT pg_postmaster_start_time()::text AS server',
      [],
    );
    expect((await stored())?.rowVersion).toMatch(/^\d+ /);
    expect((await stored())?.rowVersion.endsWith(` ${server}`)).toBe(true);
  });

  it('is not shown to another app', async () => {
    await insertTestOrder(database);
    const { find } = oneProcess();
    expect(await find(ORDER)).not.toBeNull();
    expect(await find({ ...ORDER, appId: 'app_2' })).toBeNull();
    expect(await find(ORDER)).toEqual(await stored());
  });

  it('is read in full again after a minute, and where the clock was set back', async () => {
    await insertTestOrder(database);
    const { find, clock, columns } = oneProcess();
    const times = [0, 59_999, 60_000, 119_999, 0].map((ms) => START_TIME * 1_000 + ms);
    for (const nowMs of times) {
      clock.nowMs = nowMs;
      await find(ORDER);
    }
    expect(columns.map((count) => count > 3)).toEqual([true, false, true, false, true]);
  });
});
