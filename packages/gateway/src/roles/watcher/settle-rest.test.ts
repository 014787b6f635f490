// What is final is settled to the last transfer, also where the chain stands still and a process died in between.
import { eth } from '@ducat/core/chain/definitions/eth';
import { beforeEach, afterEach, expect, inject, it } from 'vitest';
import { createFakeChain, type FakeChain } from '../../chains/fake/fake-chain.ts';
import { SETTLED_AT_ONCE } from '../../flows/blocks/settle.ts';
import { Outage } from '../../runtime/outage.ts';
import type { Transact } from '../../db/postgres/tx.ts';
import { openTestDatabase, type TestDatabase } from '@ducat/testkit/database';
import { insertApp, plainEncode, START_TIME, TEST_LEASE } from '@ducat/testkit/fixtures';
import { silentObserver } from '@ducat/testkit/watcher/silent-observer';
import type { LeasedChain } from './parts.ts';
import { stepChain } from './watch-chain.ts';

const definition = { ...eth, confirmations: 4 };
/** Two blocks of so many are more than one transaction settles. */
const MANY = 1 + SETTLED_AT_ONCE / 2;

let database: TestDatabase;
let chain: FakeChain;
let events = 0;

beforeEach(async () => {
  database = await openTestDatabase(inject('postgresAdminUrl'));
  await insertApp(database);
  chain = createFakeChain({ definition, seed: 7, startTime: START_TIME, finalityBlocks: 4 });
  for (let block = 0; block < 10; block++) chain.mine();
});
afterEach(() => database.drop());

function watchOf(transact: Transact = database.transact): LeasedChain {
  const nothing = () => undefined;
  return {
    chain: chain.port,
    startBlock: 0,
    transact,
    reader: database.reader,
    world: { nowMs: () => 0, random: (bytes) => new Uint8Array(bytes), sleep: () => Promise.resolve() },
    encode: plainEncode,
    newEventId: () => `evt_${++events}`,
    holder: TEST_LEASE.holder,
    lease: TEST_LEASE,
    log: { debug: nothing, info: nothing, warn: nothing, error: nothing },
    observer: silentObserver,
  };
}

/** Transfers that were seen in blocks of ours and wait, as a busy chain would leave them. */
async function seed(watch: LeasedChain): Promise<void> {
  expect(await stepChain(watch)).toBe('idle');
  await database.transact((tx) =>
    tx.write(
      `INSERT INTO transfers (chain, tx_id, position, ordinal, currency_id, from_address, to_address, units,
         block_number, block_hash, block_time, state, address_id, app_id)
       SELECT 'ETH', 'tx' || number || '-' || n, 'log:0', n, 1001, '0xpayer', address, 1000, number, hash, time, 'seen',
         address_id, app_id
       FROM blocks, generate_series(1, $1::integer) AS n, (SELECT * FROM addresses ORDER BY address_id LIMIT 1) AS one
       WHERE number IN (7, 8, 9)`,
      [MANY],
    ),
  );
}

async function unsettled(): Promise<number> {
  const [row] = await database.reader.read<{ count: number }>(
    `SELECT count(*) AS count FROM transfers WHERE state = 'seen'`,
    [],
  );
  return row?.count ?? -1;
}

it('goes on until all is settled when one block makes more final than one transaction settles', async () => {
  const watch = watchOf();
  await seed(watch);
  for (let block = 0; block < 6; block++) chain.mine();
  expect(await stepChain(watch)).toBe('idle');
  expect(await unsettled()).toBe(0);
});

it('goes on at a standing head after an outage in the middle, and in the process that comes next', async () => {
  let settled = 0;
  const breaking: Transact = (flow, shape) =>
    database.transact(async (tx) => {
      const done = await flow(tx);
      if (JSON.stringify(done).includes('"outcome":"settled"') && settled++ % 2 === 0) {
        throw new Outage('away', { retryable: true });
      }
      return done;
    }, shape);
  const watch = watchOf(breaking);
  await seed(watch);
  for (let block = 0; block < 6; block++) chain.mine();
  await expect(stepChain(watch)).rejects.toBeInstanceOf(Outage);
  expect(await unsettled()).toBe(2 * MANY);
  // Nothing is mined any more.
  await expect(stepChain(watch)).rejects.toBeInstanceOf(Outage);
  expect(await unsettled()).toBe(MANY);
  const next = watchOf();
  expect(await stepChain(next)).toBe('busy');
  expect(await unsettled()).toBe(0);
  expect(await stepChain(next)).toBe('idle');
});
