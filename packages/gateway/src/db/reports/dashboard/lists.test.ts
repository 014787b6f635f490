// The dashboard's lists go by indexes on tables of a twenty thousand rows, and a filter looks at a bounded number of them.
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { openTestDatabase, type TestDatabase } from '@ducat/testkit/database';
import { insertApp } from '@ducat/testkit/fixtures';
import type { SqlValue } from '../../postgres/tx.ts';
import { raiseWalls, walledReader } from '../../tables/access/walls.ts';
import { readReceived, readWaiting, RECEIVED, WAITING } from './home-report.ts';
import { merchantEventsOf, pageOfEvents } from './merchant-events.ts';
import { STATEMENT } from './money/statement.ts';
import { payoutListOf } from './money/payout-list.ts';
import { listMerchantOrders, type OrderFilter, orderListOf } from './orders/order-list.ts';
import { listReceipts } from './orders/receipt-list.ts';
import { findInMerchant } from './search.ts';

const ROWS = 20_000;
const APPS = ['app_1', 'app_2', 'app_3'];

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase(inject('postgresAdminUrl'));
  for (const account of [1, 2, 3])
    await insertApp(database, { appId: `app_${account}`, account, addresses: 1 });
  await database.transact(async (tx) => {
    // Without the checks of foreign keys, which take most of the time.
    await tx.write(`SET LOCAL session_replication_role = 'replica'`, []);
    for (const sql of FILL) await tx.write(sql, []);
  }, 'unhurried');
  await database.transact((tx) => tx.write(`UPDATE apps SET merchant_id = 'mer_1'`, []));
  expect(await raiseWalls(database.transact)).toBeNull();
  await database.reader.read('VACUUM ANALYZE', []);
});
afterAll(() => database.drop());

/** The third app has little, and nothing new. */
const APP = `CASE WHEN n <= ${ROWS} * 0.6 AND n % 100 = 0 THEN 'app_3' ELSE 'app_' || 1 + n % 2 END`;
const TRADE_NO = `'ord_' || lpad(n::text, 10, '0')`;
const SERIES = `FROM generate_series(1, ${ROWS}) AS n`;
const FILL = [
  `INSERT INTO chain_cursors (chain, updated_at_ms) VALUES ('ETH', 0), ('TRON', 0)`,
  `INSERT INTO orders (trade_no, app_id, out_trade_no, input_hash, mode, chain, currency_id, address_id, address, due,
     collected, tolerance_ppm, status, create_time, time_expire)
   SELECT ${TRADE_NO}, ${APP}, 'mine-' || n, '', 'NATIVE', 'ETH', CASE WHEN n = 100 THEN 1002 ELSE 1001 END, 1,
     '0x' || n, 10, CASE WHEN n % 1000 = 1 THEN 3 ELSE 0 END, 0,
     CASE WHEN n % 1000 = 1 THEN 'TIME-OUT' WHEN n > ${ROWS} - 50 THEN 'TO-BE-PAID' ELSE 'PAID' END, n, n ${SERIES}`,
  `INSERT INTO order_keys (app_id, out_trade_no, trade_no) SELECT ${APP}, 'mine-' || n, ${TRADE_NO} ${SERIES}`,
  `INSERT INTO transfers (chain, tx_id, position, ordinal, currency_id, from_address, to_address, units, block_number,
     block_hash, block_time, state, disposition, address_id, app_id, trade_no)
   SELECT 'ETH', md5(n::text), 'log:0', 1, 1001, '', '', 1, n, '', n, 'final',
     CASE WHEN n % 2000 = 7 THEN 'unassigned' ELSE 'payment' END, 1, ${APP}, ${TRADE_NO} ${SERIES}`,
  `INSERT INTO events (event_id, app_id, trade_no, type, status, final, body, url, receiver, state, created_at_ms)
   SELECT 'evt_' || lpad(n::text, 10, '0'), ${APP}, ${TRADE_NO}, 'PAYMENT', 'PAID', true, '', '', '',
     CASE WHEN n % 1000 = 10 THEN 'dead' ELSE 'delivered' END, n ${SERIES}`,
  `INSERT INTO payouts (trade_no, app_id, idempotency_key, signature, input_hash, chain, currency_id, to_address, amount,
     service_charge, gas, receipt, reserved, fee_currency_id, network_fee, fee_cap, status, needs_approval, create_time,
     start_time, end_time)
   SELECT 'pay_' || lpad(n::text, 10, '0'), ${APP}, 'key:' || n, n, '', 'ETH', 1001, '0xsupplier', 1, 0, 0, 1, 1, 1000,
     1, 1, CASE WHEN n % 1000 = 3 THEN 'PROGRESS' ELSE 'PAID' END, n % 2 = 1, n,
     CASE WHEN n % 1000 = 3 THEN NULL ELSE n END, CASE WHEN n % 1000 = 3 THEN NULL ELSE n END ${SERIES}`,
  `INSERT INTO accounts (kind, owner, currency_id) VALUES ('available', 'app_2', 1001), ('available', 'app_1', 1001)`,
  `INSERT INTO entries (fact, reference, at_ms) SELECT 'deposit', 'ETH/' || md5(n::text) || '/log:0', n ${SERIES}`,
  `INSERT INTO postings (entry_id, account_id, currency_id, units)
   SELECT entry_id, 1 + (entry_id % 2), 1001, 1 FROM entries`,
];

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly PlanNode[];
}

const LARGE = ['orders', 'transfers', 'events', 'payouts', 'entries', 'postings', 'order_keys'];

/**
 * The large tables that a statement read without an index, and the most rows that one part of its plan touched; behind
 * the wall, as the dashboard asks.
 */
async function planOf(sql: string, values: readonly SqlValue[]) {
  const walled = walledReader(database.transact, 'mer_1');
  const [row] = await walled.read<{ 'QUERY PLAN': readonly { Plan: PlanNode }[] }>(
    `EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) ${sql}`,
    values,
  );
  const nodes = allNodes(row!['QUERY PLAN'][0]!.Plan);
  return {
    wholeReads: nodes
      .filter((node) => node['Node Type'] === 'Seq Scan' && LARGE.includes(node['Relation Name'] ?? ''))
      .map((node) => node['Relation Name']),
    indexes: new Set(nodes.flatMap((node) => node['Index Name'] ?? [])),
    rows: Math.max(...nodes.map((node) => node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0))),
  };
}

function allNodes(node: PlanNode): readonly PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(allNodes)];
}

const orders = (change: Partial<OrderFilter> = {}): OrderFilter => ({
  appIds: APPS,
  before: '~',
  from: '',
  limit: 20,
  ...change,
});

describe('a page of the orders of a merchant', () => {
  it.each<[string, Partial<OrderFilter>, string, number]>([
    ['the first', {}, 'orders_by_app', 60],
    ['a later one', { before: 'ord_0000010000' }, 'orders_by_app', 60],
    ['of one app without new ones', { appIds: ['app_3'] }, 'orders_by_app', 60],
    ['open', { status: 'TO-BE-PAID' }, 'orders_open', 60],
    ['timed out with money', { isTimedOutWithMoney: true }, 'orders_timed_out_with_money', 60],
    ['a filter that finds few', { currencyId: 1002 }, 'orders_by_app', 10_000],
  ])('goes by its index: %s', async (_which, change, index, most) => {
    const { sql, values } = orderListOf(orders(change));
    const plan = await planOf(sql, values);
    expect(plan.wholeReads).toEqual([]);
    expect(plan.indexes).toContain(index);
    expect(plan.rows).toBeLessThanOrEqual(most);
  });

  it('holds the newest first over all apps, and goes on behind the last', async () => {
    const first = await listMerchantOrders(database.reader, orders({ limit: 3 }));
    expect(first.orders.map(({ outTradeNo }) => outTradeNo)).toEqual([
      'mine-20000',
      'mine-19999',
      'mine-19998',
    ]);
    expect(first.searchedTo).toBeNull();
    expect(first.orders[0]).toMatchObject({ eventState: 'delivered', attempts: 0, fiatName: null });
    const next = await listMerchantOrders(database.reader, orders({ limit: 1, before: 'ord_0000019998' }));
    expect(next.orders.map(({ outTradeNo }) => outTradeNo)).toEqual(['mine-19997']);
  });

  it('says how far back a filter has looked, so that the next page goes on there and nothing is left out', async () => {
    let before = '~';
    const found: string[] = [];
    for (let pages = 0; pages < 40; pages += 1) {
      const page = await listMerchantOrders(database.reader, orders({ before, currencyId: 1002 }));
      found.push(...page.orders.map(({ tradeNo }) => tradeNo));
      if (page.searchedTo === null) break;
      before = page.searchedTo;
    }
    expect(found).toEqual(['ord_0000000100']);
  });
});

describe('the other lists', () => {
  it('find dead events, events of a subject, and the newest, by their indexes', async () => {
    for (const [filter, index, most] of [
      [{ state: 'dead' }, 'events_dead', 60],
      [{}, 'events_by_app', 60],
      [{ tradeNo: 'ord_0000017000' }, 'events_by_order', 60],
      [{ state: 'pending' }, 'events_due', 60],
      [{ state: 'unsent' }, 'events_by_app', 15_000],
    ] as const) {
      const { sql, values } = merchantEventsOf({ appIds: APPS, before: '~', from: '', limit: 20, ...filter });
      const plan = await planOf(sql, values);
      expect(plan.wholeReads).toEqual([]);
      expect(plan.indexes).toContain(index);
      expect(plan.rows).toBeLessThanOrEqual(most);
    }
    const { events: dead } = await pageOfEvents(database.reader, {
      appIds: APPS,
      state: 'dead',
      before: '~',
      from: 'evt_0000018000',
      limit: 5,
    });
    expect(dead.map(({ eventId }) => eventId)).toEqual(['evt_0000019010', 'evt_0000018010']);
  });

  it('say how far back a state was looked for that no index holds', async () => {
    const filter = { appIds: ['app_1'], state: 'unsent', from: '', limit: 5 } as const;
    const first = await pageOfEvents(database.reader, { ...filter, before: '~' });
    expect(first).toEqual({ events: [], searchedTo: 'evt_0000009960' });
    const next = await pageOfEvents(database.reader, { ...filter, before: first.searchedTo! });
    expect(next).toEqual({ events: [], searchedTo: null });
  });

  it('find payouts that wait for approval among those that are open, and all others by app', async () => {
    const filter = { appIds: APPS, before: '~', now: 0, limit: 20 };
    for (const [change, index] of [
      [{ isToApprove: true }, 'payouts_open'],
      [{}, 'payouts_by_app'],
    ] as const) {
      const { sql, values } = payoutListOf({ ...filter, ...change });
      const plan = await planOf(sql, values);
      expect(plan.wholeReads).toEqual([]);
      expect(plan.indexes).toContain(index);
      expect(plan.rows).toBeLessThanOrEqual(60);
    }
  });

  it('read receipts behind one another, and the statement of an account by its entries', async () => {
    const first = await listReceipts(database.reader, { appIds: APPS, behind: null, limit: 2 });
    expect(first.map(({ block }) => block.time)).toEqual([18_007, 16_007]);
    const [last] = first.slice(-1);
    const behind = { time: 16_007, chain: 'ETH', txId: last!.txId, position: 'log:0' };
    const next = await listReceipts(database.reader, { appIds: APPS, behind, limit: 1 });
    expect(next.map(({ block }) => block.time)).toEqual([14_007]);
    const plan = await planOf(STATEMENT, ['app_2', 1001, Number.MAX_SAFE_INTEGER, 20, 0]);
    expect(plan).toMatchObject({ wholeReads: [], rows: 20 });
    expect(plan.indexes).toContain('postings_by_account_entry');
  });
});

describe('search', () => {
  const find = (text: string, more: { txIds?: string[]; addresses?: string[]; appIds?: string[] } = {}) =>
    findInMerchant(database.reader, { appIds: APPS, text, txIds: [], addresses: [], ...more });

  it("finds by our number or its beginning, the merchant's number, and a transaction, in its apps alone", async () => {
    expect((await find('ord_0000017000')).map(({ id }) => id)).toEqual(['ord_0000017000']);
    expect((await find('ord_000001')).length).toBe(10);
    expect(await find('mine-17001')).toMatchObject([
      { kind: 'order', id: 'ord_0000017001', by: 'own-number' },
    ]);
    expect(await find('mine-17001', { appIds: ['app_1'] })).toEqual([]);
    const [{ hash }] = (await database.reader.read<{ hash: string }>(`SELECT md5('17001') AS hash`, [])) as [
      { hash: string },
    ];
    expect(await find(hash, { txIds: [hash] })).toMatchObject([
      { kind: 'order', id: 'ord_0000017001', by: 'transaction' },
    ]);
    expect(await find(hash, { txIds: [hash], appIds: ['app_1'] })).toEqual([]);
  });
});

describe('the home page', () => {
  it('adds up what came, by currency and time, by an index', async () => {
    const period = { appIds: APPS, from: 19_000, bucketSeconds: 500, buckets: 2 };
    const { sums, isPartial } = await readReceived(database.reader, period);
    expect(sums.map(({ bucket, payments }) => [bucket, payments])).toEqual([
      [-2, 499],
      [-1, 500],
      [0, 500],
      [1, 500],
      [2, 1],
    ]);
    expect(isPartial).toBe(false);
    const plan = await planOf(RECEIVED, [APPS, 18_000, 19_000, 500, 16_666]);
    expect(plan.wholeReads).toEqual([]);
    expect(plan.rows).toBeLessThanOrEqual(2_001);
  });

  it('counts what waits by indexes that hold nothing else, and the gas of a wallet does not wait', async () => {
    await database.transact((tx) =>
      tx.write(
        `WITH wallet AS (INSERT INTO addresses (app_id, family, derivation_index, address, purpose)
           VALUES ('app_1', 'evm', 77, '0xwallet', 'wallet') RETURNING address_id)
         INSERT INTO transfers (chain, tx_id, position, ordinal, currency_id, from_address, to_address, units, block_number,
           block_hash, block_time, state, disposition, address_id, app_id)
         SELECT 'ETH', 'gas', 'value', 1, 1000, '', '0xwallet', 1, 1, '', 1, 'final', 'unassigned', address_id, 'app_1' FROM wallet`,
        [],
      ),
    );
    expect(await readWaiting(database.reader, APPS, 0)).toEqual({
      openOrders: 50,
      timedOutWithMoney: 20,
      unassigned: 10,
      payoutsOpen: 20,
      payoutsToApprove: 20,
      deadEvents: 20,
    });
    const plan = await planOf(WAITING, [APPS, 0]);
    expect(plan.wholeReads).toEqual([]);
    expect(plan.rows).toBeLessThanOrEqual(60);
  });
});
