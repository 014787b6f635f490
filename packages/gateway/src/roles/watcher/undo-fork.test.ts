// A fork is followed by hash to the block both sides share, whatever the endpoint says that is asked for numbers.
import { eth } from '@ducat/core/chain/definitions/eth';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { createFakeChain, type FakeChain } from '../../chains/fake/fake-chain.ts';
import type { ChainPort } from '../../chains/port.ts';
import { Outage } from '../../runtime/outage.ts';
import { takeLease } from '../../flows/leases/take-lease.ts';
import { readCursors } from '../../db/tables/cursors.ts';
import { type HeldLease, watchLease } from '../../db/tables/leases.ts';
import { openTestDatabase, type TestDatabase } from '@ducat/testkit/database';
import { plainEncode, START_TIME } from '@ducat/testkit/fixtures';
import { silentObserver } from '@ducat/testkit/watcher/silent-observer';
import type { LeasedChain, Step } from './parts.ts';
import { stepChain } from './watch-chain.ts';

const definition = { ...eth, confirmations: 4 };
let database: TestDatabase;
let chain: FakeChain;
let lease: HeldLease;

beforeEach(async () => {
  database = await openTestDatabase(inject('postgresAdminUrl'));
  chain = createFakeChain({ definition, seed: 7, startTime: START_TIME, finalityBlocks: 6 });
  for (let block = 0; block < 10; block++) chain.mine();
  const take = { name: watchLease(definition.name), holder: 'test', dead: null, nowMs: 0 };
  lease = { token: (await database.transact((tx) => takeLease(tx, take))) ?? 0, holder: take.holder };
});

afterEach(() => database.drop());

function watchOf(port: Partial<ChainPort>): LeasedChain {
  const nothing = () => undefined;
  return {
    chain: { ...chain.port, ...port },
    startBlock: 0,
    transact: database.transact,
    reader: database.reader,
    world: { nowMs: () => 0, random: (bytes) => new Uint8Array(bytes), sleep: () => Promise.resolve() },
    encode: plainEncode,
    newEventId: () => 'evt_1',
    holder: 'test',
    lease,
    log: { debug: nothing, info: nothing, warn: nothing, error: nothing },
    observer: silentObserver,
  };
}

async function stepUntil(watch: LeasedChain, end: Step): Promise<void> {
  for (let steps = 0; steps < 20; steps++) if ((await stepChain(watch)) === end) return;
  throw new Error(`no step was ${end}`);
}

async function head(): Promise<number | undefined> {
  return (await readCursors(database.reader)).get('ETH')?.head?.number;
}

describe('a fork', () => {
  it('is undone although the endpoint that is asked for numbers stands still on the losing branch', async () => {
    await stepUntil(watchOf({}), 'idle');
    const frozen = await chain.port.headers(0, 10);
    chain.fork(1, [[], [], []]);
    const watch = watchOf({ headers: (from, to) => Promise.resolve(frozen.slice(from, to + 1)) });
    await stepUntil(watch, 'idle');
    expect(await head()).toBe(12);
    const rows = await database.reader.read('SELECT from_number, ancestor_number FROM reorgs', []);
    expect(rows).toEqual([{ from_number: 10, ancestor_number: 9 }]);
  });

  it('is undone although the endpoint that is asked for numbers knows none above the fork', async () => {
    await stepUntil(watchOf({}), 'idle');
    chain.fork(3, [[], [], [], []]);
    await stepUntil(watchOf({ headers: () => Promise.resolve([]) }), 'idle');
    expect(await head()).toBe(11);
  });

  it('is an outage, not a halt, while nobody has the blocks of the other branch', async () => {
    await stepUntil(watchOf({}), 'idle');
    chain.fork(2, [[], [], []]);
    const watch = watchOf({ headerOf: () => Promise.resolve(null) });
    await expect(stepChain(watch)).rejects.toBeInstanceOf(Outage);
    expect(await head()).toBe(10);
    await stepUntil(watchOf({}), 'idle');
    expect(await head()).toBe(11);
  });
});
