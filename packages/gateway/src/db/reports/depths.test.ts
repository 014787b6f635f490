// What waits, as numbers: how long webhooks are due that nobody sends, and the smallest pool of addresses.
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { openTestDatabase, type TestDatabase } from '@ducat/testkit/database';
import { EVENTS_AT_MS, insertTestEvents } from '@ducat/testkit/events';
import { insertApp, plainAddress } from '@ducat/testkit/fixtures';
import { fillAddressPool } from '../../flows/addresses/fill-address-pool.ts';
import { retireAddresses } from '../../flows/addresses/retire-addresses.ts';
import { readDepths } from './depths.ts';

let database: TestDatabase;
beforeEach(async () => {
  database = await openTestDatabase(inject('postgresAdminUrl'));
});
afterEach(() => database.drop());

const depths = () => readDepths(database.reader);
const write = (sql: string) => database.transact((tx) => tx.write(sql, []));

describe('the event that is due first', () => {
  it('is none where nothing waits, and the earliest of those that are pending', async () => {
    expect(await depths()).toMatchObject({ pendingEvents: 0, firstDueMs: null });
    await insertApp(database);
    await insertTestEvents(database, [{}, { url: 'https://other.test/' }, { url: null }]);
    await write(`UPDATE events SET next_attempt_at_ms = 5 WHERE event_id = 'evt_1'`);
    expect(await depths()).toMatchObject({ pendingEvents: 2, firstDueMs: 5 });
    await write(`UPDATE events SET state = 'dead', next_attempt_at_ms = NULL WHERE event_id = 'evt_1'`);
    expect(await depths()).toMatchObject({ pendingEvents: 1, firstDueMs: EVENTS_AT_MS });
  });
});

describe('the smallest pool', () => {
  const pool = { appId: 'app_1', family: 'evm' as const, derive: plainAddress };

  it('is none where no app is, and the one with the fewest free addresses, counted up to 20', async () => {
    expect((await depths()).smallestPool).toBeNull();
    await insertApp(database, { addresses: 30 });
    expect((await depths()).smallestPool).toBe(20);
    await insertApp(database, { appId: 'app_2', account: 2, addresses: 3 });
    expect(await depths()).toMatchObject({ smallestPool: 3, freeAddresses: 33 });
  });

  it('is 0 where a pool is empty', async () => {
    await insertApp(database, { addresses: 5 });
    await database.transact((tx) => retireAddresses(tx, { ...pool, ahead: 0 }));
    expect((await depths()).smallestPool).toBe(0);
    await database.transact((tx) => fillAddressPool(tx, { ...pool, target: 2 }));
    expect((await depths()).smallestPool).toBe(2);
  });

  it('leaves out apps that may take no orders', async () => {
    await insertApp(database, { addresses: 8 });
    await insertApp(database, { appId: 'app_2', account: 2, addresses: 3 });
    await write(`UPDATE apps SET enabled = false WHERE app_id = 'app_2'`);
    expect((await depths()).smallestPool).toBe(8);
    await write('UPDATE merchants SET suspended = true');
    expect((await depths()).smallestPool).toBeNull();
  });
});
