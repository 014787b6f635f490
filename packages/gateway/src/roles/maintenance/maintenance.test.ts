// Maintenance goes on with its other rounds when one cannot be done.
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { eth } from '@ducat/core/chain/definitions/eth';
import { evmAddressScheme } from '../../chains/evm/address.ts';
import { createFakeChain } from '../../chains/fake/chain-in-memory.ts';
import { openTestDatabase, type TestDatabase } from '@ducat/testkit/database';
import { bookBlock, headerAt, insertApp, insertTestOrder, START_TIME } from '@ducat/testkit/fixtures';
import { type Maintenance, runMaintenance } from './maintenance.ts';

let database: TestDatabase;

beforeEach(async () => {
  database = await openTestDatabase(inject('postgresAdminUrl'));
  await insertApp(database, { addresses: 2 });
});

afterEach(() => database.drop());

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
