// Addresses come back only after the quarantine, and only when their order has ended with all its money final.
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { openTestDatabase, type TestDatabase } from '@ducat/testkit/database';
import {
  bookBlock,
  headerAt,
  insertApp,
  insertTestOrder,
  START_TIME,
  transferTo,
} from '@ducat/testkit/fixtures';
import type { Tx } from '../../db/postgres/tx.ts';
import { reuseAddresses } from './reuse-addresses.ts';

const EXPIRY = START_TIME + 1800;
const WEEK_S = 7 * 24 * 60 * 60;
let database: TestDatabase;

beforeEach(async () => {
  database = await openTestDatabase(inject('postgresAdminUrl'));
  await insertApp(database, { addresses: 1 });
});

afterEach(() => database.drop());

/** By then the chain has been read to the same time, unless said otherwise. */
async function reuse(now: number, finalTime = now): Promise<number> {
  await database.transact((tx) => tx.write('UPDATE chain_cursors SET final_time = $1', [finalTime]));
  return database.transact((tx) => reuseAddresses(tx, { chain: 'ETH', afterDays: 7, limit: 100, now }));
}

async function payOrder(address: string, time: number, final: boolean): Promise<void> {
  const header = headerAt(1, { time });
  await bookBlock(database, {
    header,
    transfers: [transferTo(address, header)],
    final: final ? header : null,
  });
}

async function sweep(tx: Tx, address: string): Promise<void> {
  await tx.write(
    `INSERT INTO collections (collection_id, chain, address_id, currency_id, wallet_id, units, method, gas, cost, state,
       started_at_ms, ended_at_ms, sweep_id)
     SELECT 'col_1', 'ETH', address_id, 1001, address_id, 1, 'sponsored', 1, 1, 'collected', 0, 0, 'swp_1'
     FROM addresses WHERE address = $1`,
    [address],
  );
}

describe('reuseAddresses', () => {
  it('hands the address of an ended order out again after the quarantine, not before', async () => {
    const order = await insertTestOrder(database);
    await payOrder(order.address, START_TIME + 5, true);
    expect(await reuse(EXPIRY + WEEK_S)).toBe(0);
    expect(await reuse(EXPIRY + WEEK_S + 1)).toBe(1);
    expect((await insertTestOrder(database, { tradeNo: 'ord_2' })).address).toBe(order.address);
  });

  it('keeps the address that was emptied by a sweep: it takes no coin that is sent with 21,000 gas', async () => {
    const order = await insertTestOrder(database);
    await payOrder(order.address, START_TIME + 5, true);
    await database.transact((tx) => sweep(tx, order.address));
    expect(await reuse(EXPIRY + 2 * WEEK_S)).toBe(0);
  });

  // hits mark: swept-addresses-are-not-reused
  it('leaves an address alone that a sweep has just locked, and keeps it once the sweep is there', async () => {
    const order = await insertTestOrder(database);
    await payOrder(order.address, START_TIME + 5, true);
    await database.transact(async (tx) => {
      await tx.read('SELECT FROM addresses WHERE address = $1 FOR SHARE', [order.address]);
      await sweep(tx, order.address);
      expect(await reuse(EXPIRY + 2 * WEEK_S)).toBe(0);
    });
    expect(await reuse(EXPIRY + 2 * WEEK_S)).toBe(0);
  });

  it('waits while the chain has not been read so far', async () => {
    const order = await insertTestOrder(database);
    await payOrder(order.address, START_TIME + 5, true);
    expect(await reuse(EXPIRY + 2 * WEEK_S, EXPIRY)).toBe(0);
    expect(await reuse(EXPIRY + 2 * WEEK_S, EXPIRY + WEEK_S)).toBe(1);
  });

  it('keeps the address of an order that is still to be paid', async () => {
    await insertTestOrder(database);
    expect(await reuse(EXPIRY + 10 * WEEK_S)).toBe(0);
  });

  it('starts the quarantine again when money comes late', async () => {
    const order = await insertTestOrder(database);
    await payOrder(order.address, EXPIRY + WEEK_S, true);
    expect(await reuse(EXPIRY + WEEK_S + 60)).toBe(0);
    expect(await reuse(EXPIRY + 2 * WEEK_S + 1)).toBe(1);
  });
});
