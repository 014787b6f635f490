// After a backup came back, no address that may have been given away is given again, and all of them are watched.
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { readLowPools } from '../../db/tables/addresses.ts';
import { readDepths } from '../../db/reports/depths.ts';
import { openTestDatabase, type TestDatabase } from '@ducat/testkit/database';
import {
  bookBlock,
  headerAt,
  insertApp,
  insertTestOrder,
  plainAddress,
  START_TIME,
  transferTo,
} from '@ducat/testkit/fixtures';
import { createApp } from '../merchants/create-app.ts';
import { fillAddressPool } from './fill-address-pool.ts';
import { retireAddresses } from './retire-addresses.ts';
import { reuseAddresses } from './reuse-addresses.ts';
import { skipAccountNumbers } from './skip-account-numbers.ts';

const pool = { appId: 'app_1', family: 'evm' as const, derive: plainAddress };
const YEAR_S = 365 * 24 * 60 * 60;
let database: TestDatabase;

beforeEach(async () => {
  database = await openTestDatabase(inject('postgresAdminUrl'));
  await insertApp(database, { addresses: 5 });
});

afterEach(() => database.drop());

const retire = (ahead: number) => database.transact((tx) => retireAddresses(tx, { ...pool, ahead }));

describe('retireAddresses', () => {
  it('leaves nothing in the pool, and new addresses begin behind what was derived ahead', async () => {
    expect(await retire(30)).toBe(35);
    await expect(insertTestOrder(database)).rejects.toThrow('empty');
    expect((await readDepths(database.reader)).freeAddresses).toBe(0);
    const pools = await readLowPools(database.reader, { lowMark: 1, after: null, pools: 10 });
    expect(pools).toEqual({ low: [{ appId: 'app_1', family: 'evm' }], last: null });
    expect(await database.transact((tx) => fillAddressPool(tx, { ...pool, target: 2 }))).toBe(2);
    expect((await insertTestOrder(database)).address).toBe(plainAddress('key1', 35));
  });

  it('sees money on a retired address and books it for the app, for no order', async () => {
    await retire(30);
    const header = headerAt(1);
    const transfers = [plainAddress('key1', 2), plainAddress('key1', 34)].map((to) => transferTo(to, header));
    const accepted = await bookBlock(database, { header, transfers, final: header });
    expect(accepted).toMatchObject({ outcome: 'accepted', seen: 2, settled: { transfers: 2, events: 0 } });
    const rows = await database.reader.read('SELECT DISTINCT disposition, app_id FROM transfers', []);
    expect(rows).toEqual([{ disposition: 'unassigned', app_id: 'app_1' }]);
  });

  it('lets an order keep its address, which nobody gets afterwards', async () => {
    const order = await insertTestOrder(database);
    await retire(0);
    const rows = await database.reader.read('SELECT address FROM addresses WHERE trade_no = $1', [
      order.tradeNo,
    ]);
    expect(rows).toEqual([{ address: order.address }]);
    await database.transact((tx) => tx.write("UPDATE orders SET status = 'TIME-OUT'", []));
    const reuse = { chain: 'ETH', afterDays: 7, limit: 100, now: START_TIME + YEAR_S };
    expect(await database.transact((tx) => reuseAddresses(tx, reuse))).toBe(0);
  });

  it('leaves other apps alone and may be repeated', async () => {
    await insertApp(database, { appId: 'app_2', account: 2, addresses: 3 });
    expect([await retire(10), await retire(10)]).toEqual([15, 25]);
    expect((await insertTestOrder(database, { appId: 'app_2' })).address).toBe(plainAddress('key2', 0));
  });
});

describe('skipAccountNumbers', () => {
  it('gives the next app an account behind those left out', async () => {
    const open = (appId: string) =>
      database.transact((tx) =>
        createApp(tx, {
          appId,
          merchantId: 'mer_1',
          name: 'Shop',
          kind: 'PAYMENT',
          callbackUrl: null,
          tolerancePpm: 0,
          sealedKey: Buffer.alloc(1),
          createdAtMs: 0,
        }),
      );
    const first = await open('app_before');
    await database.transact((tx) => skipAccountNumbers(tx, 100));
    // The fixture took account 1 without asking the sequence.
    expect([first, await open('app_after')]).toEqual([
      { outcome: 'created', account: 0 },
      { outcome: 'created', account: 101 },
    ]);
  });
});
