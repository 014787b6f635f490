// Each list goes by its index, on tables of a hundred thousand rows: what a page costs does not grow with the table.
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { openTestDatabase, type TestDatabase } from '@ducat/testkit/database';
import { insertApp } from '@ducat/testkit/fixtures';
import type { SqlValue } from '../postgres/tx.ts';
import { type EventFilter, eventList, listEvents } from './deliveries/event-lists.ts';
import { listOrders, ORDER_LIST } from './orders/list-orders.ts';
import { listTransfers, TRANSFER_LIST } from './transfers/list-transfers.ts';

const ROWS = 100_000;

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
  await database.reader.read('VACUUM ANALYZE', []);
});
afterAll(() => database.drop());

/** The third app has little, and nothing new: what is newest belongs to others. */
const APP = `CASE WHEN n <= ${ROWS} * 0.6 AND n % 100 = 0 THEN 'app_3' ELSE 'app_' || 1 + n % 2 END`;
const TRADE_NO = `'ord_' || lpad(n::text, 10, '0')`;
const EVENT_ID = `'evt_' || lpad(n::text, 10, '0')`;
const FILL = [
  `INSERT INTO orders (trade_no, app_id, out_trade_no, input_hash, mode, chain, currency_id, address_id, address, due,
     collected, tolerance_ppm, status, create_time, time_expire)
   SELECT ${TRADE_NO}, ${APP}, n, '', 'NATIVE', 'ETH', 1001, 1, '0x' || n, 1, 0, 0, 'PAID', n, n
   FROM generate_series(1, ${ROWS}) AS n`,
  `INSERT INTO transfers (chain, tx_id, position, ordinal, currency_id, from_address, to_address, units, block_number,
     block_hash, block_time, state, disposition, address_id, app_id, trade_no)
   SELECT 'ETH', md5(n::text), '', 1, 1001, '', '', 1, n, '', n, 'final', 'payment', 1, ${APP}, ${TRADE_NO}
   FROM generate_series(1, ${ROWS}) AS n`,
  `INSERT INTO events (event_id, app_id, trade_no, type, status, final, body, url, receiver, state, created_at_ms)
   SELECT ${EVENT_ID}, ${APP}, ${TRADE_NO}, 'PAYMENT', 'PAID', true, '', '', '', CASE WHEN n % 50 = 10 THEN 'dead' ELSE 'delivered' END, n
   FROM generate_series(${ROWS} / 2, ${ROWS}) AS n`,
  `INSERT INTO archived_events (event_id, sequence, app_id, trade_no, type, status, final, body, state, attempts,
     schedule_start, created_at_ms)
   SELECT ${EVENT_ID}, n, ${APP}, ${TRADE_NO}, 'PAYMENT', 'PAID', true, '', CASE WHEN n % 50 = 10 THEN 'dead' ELSE 'delivered' END, 1, 0, n
   FROM generate_series(1, ${ROWS} / 2 - 1) AS n`,
];

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Index Name'?: string;
  readonly 'Actual Rows': number;
  readonly Plans?: readonly PlanNode[];
}

/** The indexes that a statement goes by, and the most rows that any part of its plan touched. */
async function planOf(sql: string, values: readonly SqlValue[]) {
  const [row] = await database.reader.read<{ 'QUERY PLAN': readonly { Plan: PlanNode }[] }>(
    `EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) ${sql}`,
    values,
  );
  const nodes = allNodes(row!['QUERY PLAN'][0]!.Plan);
  return {
    indexes: nodes.flatMap((node) => node['Index Name'] ?? []).toSorted(),
    wholeReads: nodes.filter((node) => node['Node Type'] === 'Seq Scan').length,
    rows: Math.max(...nodes.map((node) => node['Actual Rows'])),
  };
}

function allNodes(node: PlanNode): readonly PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(allNodes)];
}

const page = { wholeReads: 0, rows: expect.toSatisfy((rows: number) => rows <= 40) };

describe('a page of the orders of an app', () => {
  it.each([
    ['the first', ORDER_LIST.first, ['app_2', 20]],
    ['a later one', ORDER_LIST.next, ['app_2', 20, 'ord_0000050000']],
    ['the first of an app without new ones', ORDER_LIST.first, ['app_3', 20]],
  ])('goes by app and time: %s', async (_which, sql, values) => {
    expect(await planOf(sql, values)).toEqual({ ...page, indexes: ['orders_by_app'] });
  });

  it('holds the newest first, and goes on behind the last', async () => {
    const first = await listOrders(database.reader, { appId: 'app_2', limit: 2 });
    expect(first.map(({ outTradeNo }) => outTradeNo)).toEqual(['99999', '99997']);
    const next = await listOrders(database.reader, { appId: 'app_2', limit: 2, before: first[1]!.tradeNo });
    expect(next.map(({ outTradeNo }) => outTradeNo)).toEqual(['99995', '99993']);
  });
});

describe('a page of the transfers of an app', () => {
  it.each(['app_2', 'app_3'])('goes by app and time: %s', async (appId) => {
    expect(await planOf(TRANSFER_LIST, [appId, 90_000, 20])).toEqual({
      ...page,
      indexes: ['transfers_by_app'],
    });
  });

  it('holds the newest first', async () => {
    const listed = await listTransfers(database.reader, { appId: 'app_2', until: 50_000, limit: 2 });
    expect(listed.map(({ block }) => block.time)).toEqual([49_999, 49_997]);
  });
});

describe('a page of events', () => {
  it.each<[string, Partial<EventFilter>, readonly string[]]>([
    ['all', {}, ['archived_events_pkey', 'events_pkey']],
    ['of an app', { appId: 'app_2' }, ['archived_events_by_app', 'events_by_app']],
    [
      'of an app, later',
      { appId: 'app_2', before: 'evt_0000080000' },
      ['archived_events_by_app', 'events_by_app'],
    ],
    ['dead, of an app', { appId: 'app_1', state: 'dead' }, ['archived_events_dead', 'events_dead']],
    ['of a subject', { tradeNo: 'ord_0000070000' }, ['archived_events_by_subject', 'events_by_order']],
  ])('goes by its index in the outbox and in the archive: %s', async (_which, filter, indexes) => {
    const { sql, values } = eventList({ limit: 20, ...filter });
    expect(await planOf(sql, values)).toEqual({ ...page, indexes });
  });

  it('goes on from the outbox into the archive', async () => {
    const events = await listEvents(database.reader, { appId: 'app_2', before: 'evt_0000050004', limit: 3 });
    expect(events.map(({ eventId }) => eventId)).toEqual([
      'evt_0000050003',
      'evt_0000050001',
      'evt_0000049999',
    ]);
  });
});
