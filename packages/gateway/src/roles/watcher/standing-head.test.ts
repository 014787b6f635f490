// At a head that stands, waiting for finality costs next to nothing, and nothing is done for blocks before ours.
import { eth } from '@ducat/core/chain/definitions/eth';
import { afterEach, beforeEach, expect, inject, it } from 'vitest';
import { UnreadableBlock } from '../../chains/endpoint/unreadable-block.ts';
import { createFakeChain, type FakeChain } from '../../chains/fake/fake-chain.ts';
import { Outage } from '../../runtime/outage.ts';
import { readCursors } from '../../db/tables/cursors.ts';
import { openTestDatabase, type TestDatabase } from '@ducat/testkit/database';
import {
  insertApp,
  insertTestOrder,
  plainEncode,
  START_TIME,
  TEST_LEASE,
  USDT,
} from '@ducat/testkit/fixtures';
import { silentObserver } from '@ducat/testkit/watcher/silent-observer';
import type { LeasedChain } from './parts.ts';
import { stepChain } from './watch-chain.ts';

/** Behind the head, as on the main net: far more than the confirmations at which a payment begins to wait. */
const FINALITY_BLOCKS = 64;
const POLL_MS = 3_000;

let database: TestDatabase;
let chain: FakeChain;
let nowMs: number;
let asked: number;
let settlements: number;
let isAllFinal: boolean;
/** The number of a block that nobody can show. */
let unreadable: number | null;

beforeEach(async () => {
  database = await openTestDatabase(inject('postgresAdminUrl'));
  await insertApp(database);
  chain = createFakeChain({
    definition: eth,
    seed: 7,
    startTime: START_TIME,
    finalityBlocks: FINALITY_BLOCKS,
  });
  for (let block = 0; block < 200; block++) chain.mine();
  [nowMs, asked, settlements] = [0, 0, 0];
  [isAllFinal, unreadable] = [false, null];
});
afterEach(() => database.drop());

function watchFrom(startBlock: number | null): LeasedChain {
  const nothing = () => undefined;
  return {
    chain: {
      ...chain.port,
      readBlock: (number, watched) =>
        number === unreadable
          ? Promise.reject(new UnreadableBlock(`cannot show block ${number}`))
          : chain.port.readBlock(number, watched),
      finalBlock: async (atMost) => {
        asked += 1;
        if (!isAllFinal) return chain.port.finalBlock(atMost);
        return (await chain.port.readBlock(atMost, []))?.header ?? null;
      },
    },
    startBlock,
    transact: database.transact,
    reader: database.reader,
    world: { nowMs: () => nowMs, random: (bytes) => new Uint8Array(bytes), sleep: () => Promise.resolve() },
    encode: plainEncode,
    newEventId: () => 'evt',
    holder: TEST_LEASE.holder,
    lease: TEST_LEASE,
    log: {
      debug: nothing,
      info: (_, message) => {
        if (message === 'settled') settlements += 1;
      },
      warn: nothing,
      error: nothing,
    },
    observer: silentObserver,
  };
}

/** A payment that has its confirmations and is not final yet, read to the head. */
async function payAndRead(watch: LeasedChain): Promise<void> {
  const { address } = await insertTestOrder(database);
  while ((await stepChain(watch)) === 'busy');
  chain.mine([{ movements: [{ currencyId: USDT, from: '0xpayer', to: address, units: 10_000_000n }] }]);
  for (let block = 0; block < eth.confirmations; block++) chain.mine();
  while ((await stepChain(watch)) === 'busy');
  [asked, settlements] = [0, 0];
}

async function poll(watch: LeasedChain, times: number): Promise<readonly string[]> {
  const steps: string[] = [];
  for (let time = 0; time < times; time++) {
    nowMs += POLL_MS;
    steps.push(await stepChain(watch).catch(outage));
  }
  return steps;
}

function outage(error: unknown): string {
  if (error instanceof Outage) return 'outage';
  throw error;
}

it('rests while what is final lies below the first block that was ever read', async () => {
  const watch = watchFrom(null);
  await payAndRead(watch);
  expect(new Set(await poll(watch, 20))).toEqual(new Set(['idle']));
  expect(settlements).toBe(0);
});

it('asks for finality now and then, and settles what became final without another block', async () => {
  const watch = watchFrom(0);
  await payAndRead(watch);
  await poll(watch, 20);
  expect(asked).toBeGreaterThanOrEqual(3);
  expect(asked).toBeLessThanOrEqual(5);
  expect(settlements).toBe(0);
  // Finality comes, and no block does.
  isAllFinal = true;
  await poll(watch, 6);
  expect(settlements).toBe(1);
});

it('becomes final where nothing was paid, since orders time out by it', async () => {
  const watch = watchFrom(0);
  while ((await stepChain(watch)) === 'busy');
  [isAllFinal, asked] = [true, 0];
  await poll(watch, 20);
  const cursor = (await readCursors(database.reader)).get('ETH');
  expect(cursor?.finalNumber).toBe(200 - eth.confirmations + 1);
  expect(asked).toBeLessThanOrEqual(2);
});

it('goes on asking after its clock was put back', async () => {
  const watch = watchFrom(0);
  nowMs = 1_000_000;
  await payAndRead(watch);
  await poll(watch, 1);
  nowMs = 0;
  await poll(watch, 20);
  expect(asked).toBeGreaterThanOrEqual(3);
});

it('settles what became final below a block that cannot be read', async () => {
  const watch = watchFrom(0);
  await payAndRead(watch);
  unreadable = chain.height + 1;
  for (let block = 0; block < 2 * FINALITY_BLOCKS; block++) chain.mine();
  const steps = await poll(watch, 20);
  expect(new Set(steps.slice(1))).toEqual(new Set(['outage']));
  expect(settlements).toBe(1);
  const transfers = await database.reader.read('SELECT state FROM transfers', []);
  expect(transfers).toEqual([{ state: 'final' }]);
  expect(asked).toBeLessThanOrEqual(5);
});
