// Maintenance goes on with its other rounds when one cannot be done.
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { eth } from '@ducat/core/chain/definitions/eth';
import { evmAddressScheme } from '../../chains/evm/address.ts';
import { createFakeChain } from '@ducat/testkit/chains/fake/chain-in-memory';
import { type PoolKey, readLowPools } from '../../db/tables/addresses.ts';
import { openTestDatabase, type TestDatabase } from '@ducat/testkit/database';
import { bookBlock, headerAt, insertApp, insertTestOrder, START_TIME } from '@ducat/testkit/fixtures';
import { type Maintenance, runMaintenance } from './maintenance.ts';

let database: TestDatabase;

beforeEach(async () => {
  database = await openTestDatabase(inject('postgresAdminUrl'));
  await insertApp(database, { addresses: 2 });
});

afterEach(() => database.drop());

it('looks at so many pools at once, and counts no further than the low mark', async () => {
  await insertApp(database, { appId: 'app_2', account: 2, addresses: 3 });
  const look = (lowMark: number, after: PoolKey | null, pools: number) =>
    readLowPools(database.reader, { lowMark, after, pools });
  const [one, two] = ['app_1', 'app_2'].map((appId): PoolKey => ({ appId, family: 'evm' }));
  expect(await look(3, null, 1)).toEqual({ low: [one], last: one });
  expect(await look(3, one!, 1)).toEqual({ low: [], last: two });
  expect(await look(3, two!, 1)).toEqual({ low: [], last: null });
  expect(await look(4, null, 9)).toEqual({ low: [one, two], last: null });
});

describe('runMaintenance', () => {
  it('fills pools although an order cannot be timed out, and says so', async () => {
    await insertTestOrder(database);
    const header = headerAt(1, { time: START_TIME + 1801 });
    await bookBlock(database, { header, final: { number: 1, hash: 'a1' } });
    const stop = new AbortController();
    const said: string[] = [];
    let bugs = 0;
    const say = (fields: object, message: string) => said.push(`${message} ${JSON.stringify(fields)}`);
    const maintenance: Maintenance = {
      chains: [createFakeChain({ definition: eth, seed: 1, startTime: START_TIME }).reader],
      schemes: { evm: { ...evmAddressScheme, derive: (key, index) => `0x${key}${index}` } },
      poolSize: 5,
      reuseAfterDays: new Map(),
      retention: { deliveriesAfterDays: null, quoteEvidenceAfterDays: null },
      transact: database.transact,
      reader: database.reader,
      world: {
        nowMs: () => 0,
        random: (bytes) => new Uint8Array(bytes),
        sleep: () => {
          stop.abort();
          return Promise.resolve();
        },
      },
      encode: () => {
        throw new Error('cannot be written');
      },
      newEventId: () => 'evt_2',
      log: { debug: say, info: say, warn: say, error: say },
      onBug: () => bugs++,
    };
    await runMaintenance(maintenance, stop.signal);
    expect(bugs).toBe(1);
    expect(said.join('\n')).toContain('a flow of maintenance failed {"flow":"expire-orders","chain":"ETH"');
    const [pool] = await database.reader.read<{ free: number }>(
      'SELECT count(*) AS free FROM addresses WHERE trade_no IS NULL',
      [],
    );
    expect(pool?.free).toBe(5);
  });
});
