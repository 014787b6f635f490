// Addresses are derived once per index, however many fillers meet.
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { openTestDatabase, type TestDatabase } from '@ducat/testkit/database';
import { waitUntil } from '@ducat/devnet/process/wait-until';
import { insertApp, plainAddress } from '@ducat/testkit/fixtures';
import { fillAddressPool } from './fill-address-pool.ts';

let database: TestDatabase;

beforeEach(async () => {
  database = await openTestDatabase(inject('postgresAdminUrl'));
  await insertApp(database, { addresses: 0 });
});

afterEach(() => database.drop());

describe('fillAddressPool', () => {
  it('reaches its target once when twenty fillers start together', async () => {
    const fill = { appId: 'app_1', family: 'evm' as const, derive: plainAddress, target: 30 };
    const added = await Promise.all(
      Array.from({ length: 20 }, () => database.transact((tx) => fillAddressPool(tx, fill))),
    );
    expect(added.reduce((sum, one) => sum + one, 0)).toBe(30);
    const rows = await database.reader.read<{ count: number; last: number }>(
      'SELECT count(*) AS count, max(derivation_index) AS last FROM addresses',
      [],
    );
    expect(rows).toEqual([{ count: 30, last: 29 }]);
  });

  it('waits for another filling of the same pool, and then counts what that added', async () => {
    const fill = { appId: 'app_1', family: 'evm' as const, derive: plainAddress, target: 30 };
    let commit = (): void => undefined;
    const isHeld = new Promise<void>((resolve) => {
      commit = resolve;
    });
    let begun = (): void => undefined;
    const hasBegun = new Promise<void>((resolve) => {
      begun = resolve;
    });
    const first = database.transact(async (tx) => {
      const added = await fillAddressPool(tx, fill);
      begun();
      await isHeld;
      return added;
    });
    await hasBegun;
    const second = database.transact((tx) => fillAddressPool(tx, fill));
    await waitUntil('the second filling to wait', async () => {
      const waiting = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
      return (await database.reader.read(waiting, [])).length === 1;
    });
    commit();
    expect(await Promise.all([first, second])).toEqual([30, 0]);
  });

  it('adds at most two hundred in one transaction', async () => {
    const fill = { appId: 'app_1', family: 'evm' as const, derive: plainAddress, target: 1_000 };
    expect(await database.transact((tx) => fillAddressPool(tx, fill))).toBe(200);
  });
});
