// Receipts that nobody could count become a payment by a person's word, once, with its fee and its trace.
import { eth } from '@ducat/core/chain/definitions/eth';
import type { Transfer } from '@ducat/core/chain/transfer';
import { amountOf } from '@ducat/core/money/amount';
import { openTestDatabase, type TestDatabase } from '@ducat/testkit/database';
import {
  bookBlock,
  headerAt,
  insertApp,
  insertTestOrder,
  plainEncode,
  START_TIME,
  transferTo,
} from '@ducat/testkit/fixtures';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { auditBooks } from '../../db/reports/audit.ts';
import { listReceipts } from '../../db/reports/dashboard/orders/receipt-list.ts';
import { findOrder } from '../../db/tables/orders/orders.ts';
import { listUnassigned } from '../../db/tables/transfers/receipts.ts';
import { assignReceipt } from './assign-receipt.ts';
import { expireOrders } from './expire-orders.ts';

const EXPIRY = START_TIME + 1800;
let database: TestDatabase;
let free: string;
let events = 0;
const writing = { encode: plainEncode, newEventId: () => `evt_${++events}`, nowMs: 7_000 };

beforeEach(async () => {
  database = await openTestDatabase(inject('postgresAdminUrl'));
  await insertApp(database, { addresses: 3 });
  await insertTestOrder(database);
  const [row] = await database.reader.read<{ address: string }>(
    'SELECT address FROM addresses WHERE trade_no IS NULL LIMIT 1',
    [],
  );
  free = row?.address ?? '';
});
afterEach(() => database.drop());

/** A transfer to an address that no order has, final in block 1. */
async function receive(
  change: Partial<Transfer> & { units?: bigint } = {},
  time = START_TIME + 5,
): Promise<void> {
  const header = headerAt(1, { time });
  await bookBlock(database, {
    header,
    transfers: [transferTo(free, header, { txId: '0xr', ...change })],
    final: header,
  });
}

function assign(tradeNo = 'ord_1', txId = '0xr', of: { appId?: string } = {}) {
  const receipt = { chain: 'ETH', txId, position: 'log:0' };
  const why = { by: 'ada', reason: 'ticket 7', currencies: eth.currencies };
  return database.transact((tx) => assignReceipt(tx, { receipt, tradeNo, ...why, ...writing, ...of }));
}

async function balances() {
  const rows = await database.reader.read<{ kind: string; balance: string }>(
    'SELECT kind, balance FROM accounts ORDER BY kind',
    [],
  );
  return Object.fromEntries(rows.map(({ kind, balance }) => [kind, balance]));
}

async function announced() {
  const rows = await database.reader.read<{ status: string }>(
    'SELECT status FROM events ORDER BY sequence',
    [],
  );
  return rows.map(({ status }) => status);
}

const order = async (tradeNo = 'ord_1') => findOrder(database.reader, 'app_1', tradeNo);

describe('assignReceipt', () => {
  it('pays the order, takes the fee, and keeps who said so', async () => {
    await receive();
    expect(await listUnassigned(database.reader, { limit: 10 })).toMatchObject([
      { transfer: { txId: '0xr', to: free }, appId: 'app_1', tradeNo: null },
    ]);
    expect(await balances()).toEqual({ custody: '-10000000', unassigned: '10000000' });
    expect(await assign()).toMatchObject({ outcome: 'assigned', disposition: 'payment', events: 1 });
    expect(await balances()).toEqual({
      custody: '-10000000',
      unassigned: '0',
      available: '9997000',
      fee: '3000',
    });
    expect(await order()).toMatchObject({
      status: 'PAID',
      lastTxId: '0xr',
      collected: amountOf(1001, 10_000_000n),
    });
    expect(await announced()).toEqual(['PAID']);
    const rows = await database.reader.read(
      'SELECT tx_id, trade_no, assigned_by, reason, at_ms FROM receipt_assignments',
      [],
    );
    expect(rows).toEqual([
      { tx_id: '0xr', trade_no: 'ord_1', assigned_by: 'ada', reason: 'ticket 7', at_ms: 7_000 },
    ]);
    expect(await listUnassigned(database.reader, { limit: 10 })).toEqual([]);
    expect(await auditBooks(database.reader)).toEqual([]);
  });

  it('makes an order PAID after its TIME-OUT where the money had come in time', async () => {
    await receive();
    const next = headerAt(2, { time: EXPIRY + 1 });
    await bookBlock(database, { header: next, final: next });
    await database.transact((tx) => expireOrders(tx, { chain: eth, limit: 9, ...writing }));
    expect(await assign()).toMatchObject({ outcome: 'assigned', order: { status: 'PAID' } });
    expect(await announced()).toEqual(['TIME-OUT', 'PAID']);
    expect(await auditBooks(database.reader)).toEqual([]);
  });

  it('is late where the money came after the expiry, and waits for the time-out', async () => {
    await receive({}, EXPIRY + 1);
    expect(await assign()).toEqual({ outcome: 'still-open' });
    await database.transact((tx) => expireOrders(tx, { chain: eth, limit: 9, ...writing }));
    expect(await assign()).toMatchObject({ outcome: 'assigned', disposition: 'late', events: 0 });
    expect(await announced()).toEqual(['TIME-OUT']);
    expect(await auditBooks(database.reader)).toEqual([]);
  });

  // hits mark: assigned-once
  it('happens once, however many people do it at the same time', async () => {
    await receive();
    await insertTestOrder(database, { tradeNo: 'ord_2' });
    const all = await Promise.all(
      Array.from({ length: 20 }, (_, place) => assign(place % 2 === 0 ? 'ord_1' : 'ord_2')),
    );
    expect(all.filter(({ outcome }) => outcome === 'assigned')).toHaveLength(1);
    expect(all.filter(({ outcome }) => outcome === 'not-unassigned')).toHaveLength(19);
    expect(await balances()).toMatchObject({ available: '9997000', unassigned: '0' });
    expect(await announced()).toEqual(['PAID']);
    expect(await auditBooks(database.reader)).toEqual([]);
  });

  it.each<readonly [string, Partial<Transfer> & { units?: bigint }]>([
    ['other-currency', { amount: amountOf(1002, 5n) }],
    ['absurd', { units: 10n ** 22n + 1n }],
  ])('changes nothing: %s', async (outcome, change) => {
    await receive(change);
    const before = await balances();
    expect(await assign()).toEqual({ outcome });
    expect(await balances()).toEqual(before);
  });

  it('leaves what lies at a wallet to the operator', async () => {
    await receive();
    await database.transact((tx) =>
      tx.write("UPDATE addresses SET purpose = 'wallet' WHERE trade_no IS NULL", []),
    );
    const appIds = ['app_1'];
    expect(await listReceipts(database.reader, { appIds, behind: null, limit: 9 })).toEqual([]);
    expect(await listReceipts(database.reader, { appIds: null, behind: null, limit: 9 })).toHaveLength(1);
    expect(await assign('ord_1', '0xr', { appId: 'app_1' })).toEqual({ outcome: 'unknown-receipt' });
    expect(await assign()).toMatchObject({ outcome: 'assigned' });
  });

  it('knows only receipts and orders that there are, of one app', async () => {
    await receive();
    await insertApp(database, { appId: 'app_2', account: 2 });
    await insertTestOrder(database, { tradeNo: 'ord_x', appId: 'app_2' });
    expect(await assign('ord_x')).toEqual({ outcome: 'other-app' });
    expect(await assign('ord_none')).toEqual({ outcome: 'unknown-order' });
    expect(await assign('ord_1', '0xnone')).toEqual({ outcome: 'unknown-receipt' });
    expect(await listUnassigned(database.reader, { appId: 'app_2', limit: 10 })).toEqual([]);
    expect(await listUnassigned(database.reader, { appId: 'app_1', limit: 10 })).toHaveLength(1);
  });
});
