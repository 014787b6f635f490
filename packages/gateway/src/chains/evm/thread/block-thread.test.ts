// Blocks come from two threads while many are asked for at once, proven alike, and from one where the other breaks.
import { type ReaderStage, startReaderStage } from '@ducat/testkit/chains/evm/reader-stage';
import { put, tamper } from '@ducat/testkit/chains/evm/tampering-proxy';
import { testDefinition } from '@ducat/testkit/chains/test-currencies';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { realWorld } from '../../../runtime/world.ts';
import type { ChainBlock } from '../../port/reader.ts';
import { createEvmReaders } from '../evm-reader.ts';
import { BlockThread } from './block-thread.ts';

/** A batch of the watcher. */
const BATCH = 16;
/** Asked for at once, so many start the second thread. */
const MANY = 80;

let stage: ReaderStage;
beforeAll(async () => {
  stage = await startReaderStage();
});
afterAll(() => stage.stop());
beforeEach(() => stage.proxy.change());

const allBroken: unknown[] = [];
const secondThread = { onBroken: (error: unknown) => void allBroken.push(error) };

const numbers = () => Array.from({ length: MANY }, (_, place) => stage.block.number + (place % 4));
const query = () => ({ currencies: stage.currencies, txIds: new Set<string>() });

describe('a reader with a second thread', () => {
  let methods: string[] = [];
  const shared = () => {
    methods = [];
    const observer = { onRequest: ({ method }: { method: string }) => void methods.push(method) };
    const definition = testDefinition({ currencies: stage.currencies });
    const options = { definition, rpcUrls: [stage.proxy.url], world: realWorld, observer, secondThread };
    const [reader] = createEvmReaders(options);
    if (reader === undefined) throw new Error('there is one reader for each address');
    return reader;
  };
  const readMany = async (reader = shared()) =>
    Promise.allSettled(numbers().map((number) => reader.block(number, query())));

  it('gives the same blocks, each proven, and reports the requests of both threads', async () => {
    const plain = stage.reader();
    const expected = await Promise.all(numbers().map((number) => plain.block(number, query())));
    const read = await readMany();
    expect(read).toEqual(expected.map((value) => ({ status: 'fulfilled', value })));
    // Each thread proves for itself on which chain its provider is.
    expect(methods.filter((method) => method === 'eth_chainId')).toHaveLength(2);
    expect(methods.filter((method) => method === 'eth_getBlockByNumber')).toHaveLength(MANY);
  });

  it.each([
    [
      'a false answer',
      () => stage.proxy.change({ result: tamper('eth_getBlockReceipts', put('0.status', '0x0')) }),
      'invalid',
    ],
    [
      'an error of the node',
      () => stage.proxy.change({ errors: { eth_getBlockByNumber: { code: -32_603, message: 'no' } } }),
      'unavailable',
    ],
  ])('passes %s on as its outage', async (_, change, kind) => {
    change();
    const paying = (await readMany()).filter((_one, place) => place % 4 === 0);
    expect(paying).toHaveLength(MANY / 4);
    for (const one of paying) expect(one).toMatchObject({ status: 'rejected', reason: { kind } });
  });

  it('has none where requests go a guarded way', async () => {
    const http = () => Promise.reject(new Error('guarded'));
    const definition = testDefinition({ currencies: stage.currencies });
    const options = { definition, rpcUrls: [stage.proxy.url], world: realWorld, http, secondThread };
    const read = await readMany(createEvmReaders(options)[0]);
    for (const one of read)
      expect(one).toMatchObject({ reason: { message: expect.stringContaining('cannot be reached') } });
  });
});

describe('the second thread', () => {
  let nowMs = 0;
  let sleepers: (() => void)[] = [];
  const world = {
    ...realWorld,
    nowMs: () => nowMs,
    sleep: () => new Promise<void>((resolve) => void sleepers.push(resolve)),
  };
  const thread = (change = {}) => {
    [sleepers, allBroken.length] = [[], 0];
    const definition = { ...testDefinition({ currencies: stage.currencies }), ...change };
    return new BlockThread({ definition, rpcUrls: [stage.proxy.url], world, secondThread });
  };
  const pass = async (ms: number) => {
    nowMs += ms;
    for (const wake of sleepers.splice(0)) wake();
    await new Promise((resolve) => setTimeout(resolve, 0));
  };
  const ask = async (asked: BlockThread, count: number, place = 0) => {
    let own = 0;
    const read = (): Promise<ChainBlock | null> => {
      own++;
      return new Promise((resolve) => setTimeout(() => resolve(null), 20));
    };
    const wanted = { place, number: stage.block.number, query: query() };
    const blocks = await Promise.all(Array.from({ length: count }, () => asked.share(wanted, read)));
    return { own, others: blocks.filter((block) => block !== null).length };
  };

  it('starts after 64 blocks that were read beside a whole batch, and leaves four to the first', async () => {
    const asked = thread();
    // The first fifteen do not count, nor does what was read three seconds ago.
    expect(await ask(asked, 78)).toEqual({ own: 78, others: 0 });
    await pass(3_000);
    expect(await ask(asked, 78)).toEqual({ own: 78, others: 0 });
    expect(await ask(asked, BATCH - 1)).toEqual({ own: BATCH - 1, others: 0 });
    expect(asked.isRunning).toBe(false);
    expect(await ask(asked, BATCH)).toEqual({ own: BATCH - 1, others: 1 });
    expect(await ask(asked, BATCH)).toEqual({ own: 4, others: BATCH - 4 });
  });

  it('ends ten seconds after it was needed last, also where nobody reads any more, and starts again', async () => {
    const asked = thread();
    await ask(asked, MANY);
    await pass(9_999);
    await ask(asked, 5);
    expect(asked.isRunning).toBe(true);
    await pass(1);
    expect(asked.isRunning).toBe(false);
    expect(await ask(asked, 5)).toEqual({ own: 5, others: 0 });
    await ask(asked, MANY);
    expect(asked.isRunning).toBe(true);
    expect(allBroken).toEqual([]);
  });

  it('is not used again once it broke, and its blocks are read here', async () => {
    const asked = thread();
    const noProvider = 99;
    expect(await ask(asked, MANY, noProvider)).toEqual({ own: MANY, others: 0 });
    expect(allBroken.map(String)).toEqual([expect.stringContaining('both threads know the same providers')]);
    expect(await ask(asked, MANY)).toEqual({ own: MANY, others: 0 });
    expect(asked.isRunning).toBe(false);
  });

  it('is done without where it cannot be started', async () => {
    const asked = thread({ name: () => 'what no other thread can be given' });
    expect(await ask(asked, MANY)).toEqual({ own: MANY, others: 0 });
    expect(await ask(asked, MANY)).toEqual({ own: MANY, others: 0 });
    expect(allBroken.map(String)).toEqual([expect.stringContaining('could not be cloned')]);
  });
});
