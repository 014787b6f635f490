// One block that cannot be read: the blocks below it are taken all the same, and nothing above it is.
import { eth } from '@ducat/core/chain/definitions/eth';
import { afterEach, beforeEach, expect, inject, it } from 'vitest';
import { UnreadableBlock } from '../../chains/endpoint/unreadable-block.ts';
import { createFakeChain } from '../../chains/fake/fake-chain.ts';
import type { ChainPort, UntracedReason } from '../../chains/port.ts';
import { readCursors } from '../../db/tables/cursors.ts';
import { openTestDatabase, type TestDatabase } from '@ducat/testkit/database';
import { insertApp, plainEncode, START_TIME, TEST_LEASE } from '@ducat/testkit/fixtures';
import { realWorld } from '../../runtime/world.ts';
import { silentObserver } from '@ducat/testkit/watcher/silent-observer';
import { stepChain } from './watch-chain.ts';

const definition = { ...eth, confirmations: 2, blockTimeMs: 1_000 };
let database: TestDatabase;
beforeEach(async () => {
  database = await openTestDatabase(inject('postgresAdminUrl'));
  await insertApp(database);
});
afterEach(() => database.drop());

it('holds up what comes after it alone, and is alarmed once when it is passed', async () => {
  const chain = createFakeChain({ definition, seed: 3, startTime: START_TIME });
  for (let block = 0; block < 8; block++) chain.mine();
  const alarms: UntracedReason[] = [];
  const step = (port: ChainPort) => stepChain({ ...partsOf(alarms), chain: port });
  const head = async () => (await readCursors(database.reader)).get(definition.name)?.head?.number;
  const shut: ChainPort = {
    ...chain.port,
    readBlock: (number, watched) =>
      number === 5
        ? Promise.reject(new UnreadableBlock('cannot show block 5'))
        : chain.port.readBlock(number, watched),
  };
  await step(shut);
  expect(await head()).toBe(4);
  await expect(step(shut)).rejects.toThrow('cannot show block 5');
  expect(await head()).toBe(4);
  expect(alarms).toEqual([]);
  const passed: ChainPort = {
    ...chain.port,
    readBlock: async (number, watched) => {
      const block = await chain.port.readBlock(number, watched);
      if (block === null || number !== 5) return block;
      return { ...block, transfers: [], untraced: [{ txId: null, reason: 'unprintable-block' }] };
    },
  };
  await step(passed);
  await step(passed);
  expect(await head()).toBe(8);
  expect(alarms).toEqual(['unprintable-block']);
});

function partsOf(alarms: UntracedReason[]) {
  const silent = () => undefined;
  return {
    startBlock: 0,
    transact: database.transact,
    reader: database.reader,
    world: realWorld,
    encode: plainEncode,
    newEventId: () => `evt_${Math.random()}`,
    holder: 'test',
    lease: TEST_LEASE,
    log: { debug: silent, info: silent, warn: silent, error: silent },
    observer: {
      ...silentObserver,
      onUntraced: (_: string, reason: UntracedReason) => alarms.push(reason),
    },
  };
}
