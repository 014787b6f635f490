// Traces that an endpoint refuses without a look at them: for its pace, its plan, or as it lacks the block. Nothing is lost.
import { setImmediate as turn } from 'node:timers/promises';
import type { TraceMethod } from '@ducat/core/chain/chain';
import { beforeEach, expect, it } from 'vitest';
import { Outage } from '../../runtime/outage.ts';
import { Throttled } from '../endpoint/throttled.ts';
import { type ManualWorld, manualWorld } from '@ducat/testkit/chains/manual-world';
import { rawHeader } from '@ducat/testkit/chains/evm/raw-header';
import { testCurrency, testDefinition } from '@ducat/testkit/chains/test-currencies';
import { Endpoint } from './endpoint.ts';
import type { ExecutedBlock } from './executed-block.ts';
import { expectBlock } from './expect-block.ts';
import { readInnerMovements } from './inner-movements.ts';
import { NodeError } from './rpc.ts';
import type { ToldSoFar } from './trace-notes.ts';

const hash = `0x${'a1'.repeat(32)}`;
const place = `0x${'b2'.repeat(20)}`;
const minute = 60_000;
const pays = { type: 'CALL', from: place, to: place, value: '0x5' };
const frame = { type: 'CALL', from: place, to: place, value: '0x0', calls: [pays] };
const flat = (id: unknown, blockHash: string) => {
  const action = { callType: 'call', from: place, to: place, value: '0x0' };
  const entry = { type: 'call', blockHash, transactionHash: id, action, traceAddress: [] };
  return [entry, { ...entry, action: { ...action, value: '0x5' }, traceAddress: [0] }];
};

function blockOf(count: number): ExecutedBlock {
  const transactions = Array.from({ length: count }, (_, index) => ({
    id: `tx${index}`,
    recipient: place,
    value: 0n,
    succeeded: true,
    gas: 50_000n,
    mayMoveInside: true,
    movements: [],
  }));
  return { header: { number: 7, hash, parentHash: hash, time: 0 }, transactions };
}

/** What it answers instead of the truth, undefined for that; it may throw. */
type Refusal = (method: string, id: string) => unknown;

let world: ManualWorld;
/** `?` and the method or the transaction where something is asked for, `!` and the same where it is told. */
let events: string[];
let refusal: Refusal;
beforeEach(() => {
  world = manualWorld();
  events = [];
  refusal = () => undefined;
});

const truthOf = (method: string, id: unknown, { transactions }: ExecutedBlock): unknown => {
  if (method === 'eth_chainId') return '0x7a69';
  if (method === 'eth_blockNumber') return '0x64';
  if (method === 'eth_getBlockByNumber') return { ...rawHeader, number: '0x7', hash };
  if (method === 'debug_traceTransaction') return frame;
  if (method === 'trace_transaction') return flat(id, hash);
  if (method === 'trace_block') return transactions.flatMap((one) => flat(one.id, hash));
  return transactions.map(() => ({ result: frame }));
};

function readerOf(block: ExecutedBlock, method: TraceMethod = 'debug') {
  const call = async (asked: string, [id]: readonly unknown[]): Promise<unknown> => {
    const name = asked.endsWith('Transaction') ? String(id) : asked;
    events.push(`?${name}`);
    const instead = await refusal(asked, String(id));
    events.push(`!${name}`);
    return instead === undefined ? truthOf(asked, id, block) : instead;
  };
  const rpcOf = () => ({ name: 'node', batch: async () => [], call });
  const endpoint = new Endpoint({ name: 'node', rpcOf, definition: testDefinition(), world });
  endpoint.traces.noteTraced('before');
  const read = (): Promise<ToldSoFar> =>
    endpoint.run(async () => {
      await expectBlock(endpoint, block.header);
      const time = endpoint.startReading();
      return readInnerMovements(endpoint, time, method, block, testCurrency(1000, null, 18));
    });
  /** Rounds that far apart, until all is told or left out. */
  const readAtLast = async (rounds: number, everyMs = minute): Promise<ToldSoFar> => {
    for (let round = 0; round < rounds; round++) {
      const told = await read().catch((error: unknown) => {
        if (error instanceof Outage) return null;
        throw error;
      });
      if (told !== null) return told;
      world.advance(everyMs);
    }
    return new Map();
  };
  return { read, readAtLast, endpoint };
}

const isWhole = (method: string): boolean => ['debug_traceBlockByHash', 'trace_block'].includes(method);
const isTrace = (method: string): boolean => /trace/.test(method);
/** How many were told and how many left out. */
const counts = (told: ToldSoFar): readonly number[] => {
  const left = [...told.values()].filter((movements) => movements === null).length;
  return [told.size - left, left];
};
const fails = (what: string): never => {
  throw new NodeError(`answered error -32000: ${what}`, -32_000);
};
const breaks = (): never => {
  throw new Outage('answered HTTP 502', { retryable: true });
};

/** So many questions in each second, and no whole blocks. */
const paced = (perSecond: number): Refusal => {
  let second = -1;
  let left = 0;
  return (method) => {
    const now = Math.floor(world.nowMs() / 1_000);
    if (second !== now) [second, left] = [now, perSecond];
    if (left-- <= 0) throw new Throttled('answered HTTP 429');
    return isWhole(method) ? fails('response size exceeded') : undefined;
  };
};

it.each([9, 12, 25])(
  'what was told before the pace was too much is kept, of %i a second',
  async (perSecond) => {
    refusal = paced(perSecond);
    const { readAtLast } = readerOf(blockOf(20));
    expect(counts(await readAtLast(30, 10_000))).toEqual([20, 0]);
  },
);

it('what was told before the pace was too much is asked for again where the block is not seen soon', async () => {
  refusal = paced(12);
  const { read, readAtLast } = readerOf(blockOf(20));
  await expect(read()).rejects.toThrow('HTTP 429');
  world.advance(2 * minute + 1);
  events = [];
  refusal = (method) => (isWhole(method) ? fails('response size exceeded') : undefined);
  expect(counts(await readAtLast(2))).toEqual([20, 0]);
  expect(events).toContain('!tx0');
});

it.each<readonly [string, unknown]>([
  ['null', null],
  ['not found', 'transaction not found'],
  ['words of another client', 'Cannot find transactionTrace for hash: 0x4ffb'],
  ['another block', flat('tx', `0x${'c3'.repeat(32)}`)],
])('a backend that stands still below the block loses nothing of it: %s', async (_name, answer) => {
  const { read, readAtLast, endpoint } = readerOf(blockOf(20), 'trace');
  refusal = (method, id) => {
    if (!isTrace(method) || id === 'before') return undefined;
    if (isWhole(method)) return null;
    return typeof answer === 'string' ? fails(answer) : answer;
  };
  for (let round = 0; round < 8; round++) {
    await expect(read()).rejects.toThrow('traces nothing now');
    expect(endpoint.health().healthy).toBe(false);
    world.advance(2 * minute);
  }
  refusal = () => undefined;
  expect(counts(await readAtLast(2))).toEqual([20, 0]);
});

it('that a state is thrown away does not show that fresh ones are traced', async () => {
  const { read, readAtLast } = readerOf(blockOf(20));
  refusal = (method, id) => {
    if (!isTrace(method)) return undefined;
    return id === 'before' ? fails('missing trie node 4ffb') : breaks();
  };
  for (let round = 0; round < 8; round++) {
    await expect(read()).rejects.toThrow('traces nothing now');
    world.advance(2 * minute);
  }
  refusal = () => undefined;
  expect(counts(await readAtLast(2))).toEqual([20, 0]);
});

it('one that is always refused for its pace holds no other one up, behind a state that is thrown away', async () => {
  refusal = (method, id) => {
    if (isWhole(method)) return fails('response size exceeded');
    if (id === 'before') return fails('missing trie node 4ffb');
    if (id === 'tx0') throw new Throttled('answered HTTP 429');
    return undefined;
  };
  expect(counts(await readerOf(blockOf(5)).readAtLast(60, 10_000))).toEqual([4, 1]);
});

it('nobody is to blame where all is asked less often after some were told', async () => {
  refusal = paced(12);
  const { read, readAtLast } = readerOf(blockOf(8));
  await expect(read()).rejects.toThrow('HTTP 429');
  refusal = (method) => (isTrace(method) ? fails('missing trie node 4ffb') : undefined);
  for (let round = 0; round < 3; round++) await expect(read()).rejects.toThrow('missing trie node');
  refusal = () => undefined;
  expect(counts(await readAtLast(3))).toEqual([8, 0]);
});

it('a block is not seen again before all have answered', async () => {
  const { read } = readerOf(blockOf(3));
  refusal = async (method, id) => {
    if (isWhole(method)) return fails('response size exceeded');
    if (id === 'tx0') return fails('missing trie node 4ffb');
    if (id === 'tx2') for (let times = 0; times < 20; times++) await turn();
    return undefined;
  };
  await expect(read()).rejects.toThrow('missing trie node');
  expect(events).toContain('!tx2');
  expect(events.lastIndexOf('?eth_getBlockByNumber')).toBeGreaterThan(events.indexOf('!tx2'));
});

it('one that takes down what is asked beside it is passed where a node only shows what it has thrown away', async () => {
  let untilMs = 0;
  refusal = (method, id) => {
    if (!isTrace(method)) return undefined;
    if (world.nowMs() >= untilMs && (isWhole(method) || id === 'tx0')) untilMs = world.nowMs() + 2_000;
    if (world.nowMs() < untilMs) return breaks();
    return id === 'before' ? fails('missing trie node 4ffb') : undefined;
  };
  expect(counts(await readerOf(blockOf(3)).readAtLast(20))).toEqual([2, 1]);
});

it('one alone is waited for where a plan that sells no old states stands before a backend that is away', async () => {
  const { read, readAtLast } = readerOf(blockOf(1));
  refusal = (method, id) => {
    if (!isTrace(method)) return undefined;
    return id === 'before' ? fails('archive requests are not part of your plan') : breaks();
  };
  for (let round = 0; round < 6; round++) {
    await expect(read()).rejects.toThrow('traces nothing now');
    world.advance(5 * minute);
  }
  refusal = () => undefined;
  expect(counts(await readAtLast(2))).toEqual([1, 0]);
});

it.each(['the method does not exist', 'archive requests are not part of your plan'])(
  'the whole is asked for again where single ones end after some were told: %s',
  async (words) => {
    const { read, readAtLast } = readerOf(blockOf(20));
    let singles = 0;
    refusal = (method) => {
      if (isWhole(method)) return breaks();
      return method === 'debug_traceTransaction' && singles++ > 8 ? breaks() : undefined;
    };
    await expect(read()).rejects.toThrow(Outage);
    refusal = (method) => (method === 'debug_traceTransaction' ? fails(words) : undefined);
    expect(counts(await readAtLast(4))).toEqual([20, 0]);
  },
);

it.each(['debug', 'trace'] as const)('null is neither a lie nor nothing that moved, by %s', async (way) => {
  const { read, readAtLast, endpoint } = readerOf(blockOf(3), way);
  refusal = (method) => (isTrace(method) ? null : undefined);
  for (let round = 0; round < 4; round++) {
    await expect(read()).rejects.toThrow('traces nothing now: has no such trace');
    expect(endpoint.available).toBe(true);
    world.advance(5 * minute);
  }
  // One of them alone: it is waited for as well, as the endpoint may be one that is behind by now.
  refusal = (method, id) => (isWhole(method) || (isTrace(method) && id === 'tx1') ? null : undefined);
  for (let round = 0; round < 8; round++) {
    await expect(read()).rejects.toThrow('traces nothing now: has no such trace');
    world.advance(minute);
  }
  refusal = () => undefined;
  expect(counts(await readAtLast(2))).toEqual([3, 0]);
});

it('what a single trace tells of another block is not told of this one', async () => {
  const { read, readAtLast, endpoint } = readerOf(blockOf(3), 'trace');
  refusal = (method, id) => {
    if (isWhole(method)) return fails('response size exceeded');
    return method === 'trace_transaction' && id === 'tx1' ? flat(id, `0x${'c3'.repeat(32)}`) : undefined;
  };
  await expect(read()).rejects.toThrow('has that transaction in another block');
  expect(endpoint.available).toBe(true);
  refusal = () => undefined;
  expect(counts(await readAtLast(2))).toEqual([3, 0]);
});
