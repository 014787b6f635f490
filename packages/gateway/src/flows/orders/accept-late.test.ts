// A late order becomes PAID by a person's word: once, with one webhook, and only where the sum is there.
import { eth } from '@ducat/core/chain/definitions/eth';
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
import { acceptLate } from './accept-late.ts';
import { expireOrders } from './expire-orders.ts';

const EXPIRY = START_TIME + 1800;
let database: TestDatabase;
let address: string;
let events = 0;
const writing = { encode: plainEncode, newEventId: () => `evt_${++events}`, nowMs: 7_000 };

beforeEach(async () => {
  database = await openTestDatabase(inject('postgresAdminUrl'));
  await insertApp(database, { addresses: 2 });
  address = (await insertTestOrder(database)).address;
});
afterEach(() => database.drop());

async function pay(number: number, units: bigint, time: number): Promise<void> {
  const header = headerAt(number, { time });
  const transfers = units === 0n ? [] : [transferTo(address, header, { txId: `0xt${number}`, units })];
  await bookBlock(database, { header, transfers, final: header });
}

const accept = (more: { tradeNo?: string; appId?: string } = {}) =>
  database.transact((tx) =>
    acceptLate(tx, { tradeNo: 'ord_1', by: 'ada', reason: 'ticket 7', ...writing, ...more }),
  );

async function announced() {
  const rows = await database.reader.read<{ body: string }>('SELECT body FROM events ORDER BY sequence', []);
  return rows.map(({ body }) => JSON.parse(body));
}

describe('acceptLate', () => {
  // hits mark: accepted-once
  it('makes a late order PAID once, with one webhook that names the newest money', async () => {
    await pay(1, 4_000_000n, EXPIRY);
    await pay(2, 6_000_000n, EXPIRY + 9);
    const all = await Promise.all(Array.from({ length: 8 }, () => accept()));
    const outcomes = all.map(({ outcome }) => outcome).sort();
    expect(outcomes).toEqual(['accepted', ...Array.from({ length: 7 }, () => 'already-paid')].sort());
    expect((await announced()).map(({ status }) => status)).toEqual(['TO-BE-PAID', 'TIME-OUT', 'PAID']);
    expect((await announced()).at(-1)).toMatchObject({
      collected: '10000000',
      txId: '0xt2',
      time: EXPIRY + 9,
    });
    const kept = await database.reader.read('SELECT * FROM order_acceptances', []);
    expect(kept).toEqual([{ trade_no: 'ord_1', accepted_by: 'ada', reason: 'ticket 7', at_ms: 7_000 }]);
    expect(await auditBooks(database.reader)).toEqual([]);
    await database.transact((tx) => tx.write('DELETE FROM order_acceptances', []));
    expect(await auditBooks(database.reader)).toEqual([expect.stringContaining('came in time')]);
  });

  it('forgives the time and not the sum, nor an order that is open or of another app', async () => {
    expect(await accept()).toEqual({ outcome: 'still-open' });
    await pay(1, 9_999_999n, EXPIRY);
    await pay(2, 0n, EXPIRY + 1);
    await database.transact((tx) => expireOrders(tx, { chain: eth, limit: 9, ...writing }));
    expect(await accept()).toEqual({ outcome: 'short' });
    expect(await accept({ tradeNo: 'ord_none' })).toEqual({ outcome: 'unknown-order' });
    expect(await accept({ appId: 'app_2' })).toEqual({ outcome: 'unknown-order' });
    expect((await announced()).map(({ status }) => status)).toEqual(['TO-BE-PAID', 'TIME-OUT']);
  });
});
