// From order to archive on partitioned tables. The vitest project `partitioned` runs tests of single flows there too.
import { eth } from '@ducat/core/chain/definitions/eth';
import type { BlockHeader } from '@ducat/core/chain/transfer';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { openTestDatabase, type TestDatabase } from '@ducat/testkit/database';
import {
  bookBlock,
  headerAt,
  insertApp,
  insertTestOrder,
  plainEncode,
  START_TIME,
  TEST_LEASE,
  transferTo,
} from '@ducat/testkit/fixtures';
import { auditBooks } from '../src/db/reports/audit.ts';
import { listEvents } from '../src/db/tables/deliveries/event-lists.ts';
import { findOrder } from '../src/db/tables/orders/orders.ts';
import { undoBlocks } from '../src/flows/blocks/undo-blocks.ts';
import { archiveDeliveries } from '../src/flows/deliveries/archive-deliveries.ts';
import { claimDeliveries } from '../src/flows/deliveries/claim-deliveries.ts';
import { recordDeliveries } from '../src/flows/deliveries/record-delivery.ts';
import { expireOrders } from '../src/flows/orders/expire-orders.ts';

describe('from order to archive', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await openTestDatabase(inject('postgresAdminUrl'));
    await insertApp(database);
  });
  afterAll(() => database.drop());

  const NOW_MS = (START_TIME + 4_000) * 1_000;
  const addresses = new Map<string, string>();

  /** A block in which these orders are paid by the transactions of these names. */
  function book(
    header: BlockHeader,
    paid: Readonly<Record<string, string>>,
    final: BlockHeader | null = null,
  ) {
    const transfers = Object.entries(paid).map(([txId, tradeNo]) =>
      transferTo(addresses.get(tradeNo) ?? '', header, { txId }),
    );
    return bookBlock(database, { header, transfers, final });
  }

  async function placesOf(table: string): Promise<number> {
    const sql = `SELECT count(DISTINCT tableoid) AS places FROM ${table}`;
    return (await database.reader.read<{ places: number }>(sql, []))[0]?.places ?? 0;
  }

  it('books what is paid, through a fork, in several partitions', async () => {
    for (const tradeNo of ['ord_1', 'ord_2', 'ord_3', 'ord_4'])
      addresses.set(tradeNo, (await insertTestOrder(database, { tradeNo })).address);
    await book(headerAt(1), {});
    await book(headerAt(2), { tx1: 'ord_1', tx2: 'ord_2' });
    const undo = { chain: 'ETH', lease: TEST_LEASE, tip: { number: 2, hash: 'a2' }, nowMs: 0 };
    const undone = await database.transact((tx) =>
      undoBlocks(tx, { ...undo, ancestor: { number: 1, hash: 'a1' } }),
    );
    expect(undone).toMatchObject({ outcome: 'undone', orphaned: 2 });
    const again = headerAt(2, { branch: 'b', parent: 'a' });
    await book(again, { tx1: 'ord_1', tx2: 'ord_2', tx3: 'ord_3' });
    await book(headerAt(3, { branch: 'b', time: START_TIME + 1_801 }), {}, again);
    const orders = await Promise.all(
      [...addresses.keys()].map((tradeNo) => findOrder(database.reader, 'app_1', tradeNo)),
    );
    expect(orders.map((order) => order?.status)).toEqual(['PAID', 'PAID', 'PAID', 'TO-BE-PAID']);
    expect(await placesOf('orders')).toBe(3);
    expect(await placesOf('transfers')).toBeGreaterThan(1);
    expect(await placesOf('postings')).toBeGreaterThan(1);
    expect(await auditBooks(database.reader)).toEqual([]);
  });

  it('times the rest out, delivers all events, and archives them', async () => {
    await book(headerAt(4, { branch: 'b' }), {}, headerAt(3, { branch: 'b', time: START_TIME + 1_801 }));
    const writing = { encode: plainEncode, newEventId: () => 'evt_1', nowMs: NOW_MS };
    const expire = { chain: eth, limit: 10, ...writing };
    expect(await database.transact((tx) => expireOrders(tx, expire))).toBe(1);
    const room = { leaseMs: 1_000, maxDeliveries: 9, maxPerApp: 9, maxPerReceiver: 9 };
    const limits = { ...room, nowMs: NOW_MS, underWay: [], after: new Map<string, string>() };
    const { deliveries } = await claimDeliveries(database, limits);
    expect(deliveries).toHaveLength(4);
    const end = {
      startedAtMs: NOW_MS,
      endedAtMs: NOW_MS + 1,
      outcome: 'delivered',
      httpStatus: 200,
    } as const;
    const ends = deliveries.map((delivery) => ({ ...delivery, ...end }));
    expect(new Set(await database.transact((tx) => recordDeliveries(tx, ends)))).toEqual(
      new Set(['delivered']),
    );
    expect(await database.transact((tx) => archiveDeliveries(tx, { below: 'evt_~', limit: 9 }))).toBe(4);
    expect(await placesOf('archived_events')).toBeGreaterThan(1);
    expect(await listEvents(database.reader, { appId: 'app_1', limit: 9 })).toHaveLength(4);
    expect(await auditBooks(database.reader)).toEqual([]);
  });
});
