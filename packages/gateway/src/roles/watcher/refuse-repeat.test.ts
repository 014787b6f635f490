// A made-up block that repeats a payment: whoever told of it alone is not believed, and stops nothing.
import { eth } from '@ducat/core/chain/definitions/eth';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { createFakeChain, type FakeChain } from '../../chains/fake/fake-chain.ts';
import type { ChainBlock, ChainPort } from '../../chains/port.ts';
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
import { realWorld } from '../../runtime/world.ts';
import { silentObserver } from '@ducat/testkit/watcher/silent-observer';
import type { LeasedChain } from './parts.ts';
import { stepChain } from './watch-chain.ts';

const definition = { ...eth, confirmations: 2, blockTimeMs: 1_000 };
let database: TestDatabase;
let chain: FakeChain;
let paid: ChainBlock;

beforeEach(async () => {
  database = await openTestDatabase(inject('postgresAdminUrl'));
  await insertApp(database);
  chain = createFakeChain({ definition, seed: 3, startTime: START_TIME });
  const { address } = await insertTestOrder(database);
  const movement = { currencyId: USDT, from: '0xpayer', to: address, units: 10_000_000n };
  const { number } = chain.mine([{ movements: [movement] }]);
  const block = await chain.port.readBlock(number, definition.currencies);
  if (block === null) throw new Error('the paying block is not there');
  paid = block;
  await step(chain.port);
});
afterEach(() => database.drop());

async function step(port: ChainPort): Promise<string> {
  const silent = () => undefined;
  const watch: LeasedChain = {
    chain: port,
    startBlock: 0,
    transact: database.transact,
    reader: database.reader,
    world: realWorld,
    encode: plainEncode,
    newEventId: () => `evt_${Math.random()}`,
    holder: 'test',
    lease: TEST_LEASE,
    log: { debug: silent, info: silent, warn: silent, error: silent },
    observer: silentObserver,
  };
  return stepChain(watch);
}

/** The next block as a liar tells it: another one, with the old payment in it, once or twice. */
function repeating(times: number): ChainPort {
  return {
    ...chain.port,
    readBlock: async (number, watched) => {
      const block = await chain.port.readBlock(number, watched);
      if (block === null) return null;
      const header = { ...block.header, hash: '0xmadeup' };
      const again = paid.transfers.map((transfer) => ({ ...transfer, block: header }));
      return { header, transfers: Array.from({ length: times }, () => again).flat(), untraced: [] };
    },
  };
}

const ethCursor = async () => (await readCursors(database.reader)).get('ETH');

describe('a block that repeats a payment', () => {
  it.each([1, 2])(
    '%i times, with nobody to confirm it, is an outage, and the honest one is taken',
    async (times) => {
      chain.mine();
      const doubts: string[] = [];
      const alone: ChainPort = {
        ...repeating(times),
        confirmBlock: (_, doubt) => {
          doubts.push(doubt);
          return Promise.reject(
            new Outage('nobody else has it', { retryable: true, kind: 'repeated-transfer' }),
          );
        },
      };
      await expect(step(alone)).rejects.toMatchObject({ kind: 'repeated-transfer' });
      expect(doubts).toEqual([expect.stringMatching(/^repeats a transfer, .* which stands in block 1$/)]);
      expect(await ethCursor()).toMatchObject({ haltedReason: null, head: { number: 1 } });
      for (let block = 0; block < 4; block++) {
        await step(chain.port);
        chain.mine();
      }
      const rows = await database.reader.read('SELECT state, block_hash FROM transfers', []);
      expect(rows).toEqual([{ state: 'final', block_hash: paid.header.hash }]);
      expect(await database.reader.read('SELECT fact FROM entries', [])).toHaveLength(1);
    },
  );

  it('halts the chain once it is confirmed, and says why', async () => {
    chain.mine();
    const confirmed: ChainPort = { ...repeating(1), confirmBlock: () => Promise.resolve() };
    expect(await step(confirmed)).toBe('halted');
    expect(await ethCursor()).toMatchObject({
      haltedReason: expect.stringMatching(/^block 2 0xmadeup repeats a transfer/),
      head: { number: 1 },
    });
  });
});
