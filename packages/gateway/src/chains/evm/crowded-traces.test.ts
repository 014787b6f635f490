// Many transactions in one block, or in neighbouring ones, that take long to trace: they are named, and payments are told.
import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { Outage } from '../../runtime/outage.ts';
import { TooMuch } from '../endpoint/too-much.ts';
import { manualWorld } from '@ducat/testkit/chains/manual-world';
import { rawHeader } from '@ducat/testkit/chains/evm/raw-header';
import { testCurrency, testDefinition } from '@ducat/testkit/chains/test-currencies';
import { Endpoint } from './endpoint.ts';
import type { ExecutedBlock, ExecutedTransaction } from './executed-block.ts';
import { readInParts } from './inner-in-parts.ts';
import type { CallFrame } from './native-transfers.ts';
import { NodeError, type Rpc } from './rpc.ts';
import type { ToldSoFar } from './trace-notes.ts';

type Trace = (id: string, maxBodyBytes: number) => Promise<CallFrame>;

const place = `0x${'b2'.repeat(20)}`;
const pays = { type: 'CALL', from: place, to: place, value: '0x5' };
const frame: CallFrame = { type: 'CALL', from: place, to: place, value: '0x0', calls: [pays] };
const small = 64 * 1024;

/** So many that are heavy, with more gas than as many that pay. */
function blockOf(number: number, heavy: number, paying: number): ExecutedBlock {
  const hash = `0x${number.toString(16).padStart(64, '0')}`;
  const transactionOf = (id: string, gas: bigint): ExecutedTransaction => ({
    id,
    recipient: place,
    value: 0n,
    succeeded: true,
    gas,
    mayMoveInside: true,
    movements: [],
  });
  const transactions = [
    ...Array.from({ length: heavy }, (_, index) => transactionOf(`heavy ${number} ${index}`, 200_000n)),
    ...Array.from({ length: paying }, (_, index) => transactionOf(`pays ${number} ${index}`, 50_000n)),
  ];
  return { header: { number, hash, parentHash: hash, time: 0 }, transactions };
}

function readerOf(world: ReturnType<typeof manualWorld>, blockTimeMs: number, trace: Trace) {
  const rpcOf = (maxBodyBytes: number): Rpc => ({
    name: 'node',
    batch: async () => [],
    async call(method, [id]) {
      if (method === 'eth_chainId') return '0x7a69';
      if (method !== 'eth_getBlockByNumber') return trace(String(id), maxBodyBytes);
      return { ...rawHeader, number: String(id), hash: `0x${String(id).slice(2).padStart(64, '0')}` };
    },
  });
  const endpoint = new Endpoint({ name: 'node', rpcOf, definition: testDefinition({ blockTimeMs }), world });
  endpoint.traces.noteTraced('before');
  const traceOne = async (rpc: Rpc, id: string): Promise<CallFrame> => Object(await rpc.call('trace', [id]));
  const currency = testCurrency(1000, null, 18);
  return (block: ExecutedBlock): Promise<ToldSoFar> => {
    const time = endpoint.startReading();
    const reading = { endpoint, time, traceOne, block, places: [...block.transactions.keys()], currency };
    return endpoint.inTurn(time, () => readInParts(reading)).catch(noneYet);
  };
}

function noneYet(error: unknown): ToldSoFar {
  if (error instanceof Outage) return new Map();
  throw error;
}

/** Runs to its end while time goes by in the background. */
async function passing<T>(world: ReturnType<typeof manualWorld>, work: () => Promise<T>): Promise<T> {
  let isOn = true;
  const clock = (async () => {
    while (isOn) {
      for (let times = 0; times < 6; times++) await turn();
      world.advance(100);
    }
  })();
  try {
    return await work();
  } finally {
    isOn = false;
    await clock;
  }
}

const tooMuch = (bytes: number): never => {
  throw new TooMuch(`answered with more than ${bytes} bytes`);
};
const told = (movements: ToldSoFar): number =>
  [...movements.values()].filter((moved) => moved?.length === 1).length;

it.each([
  [450, 72, 2_500],
  [2_000, 168, 3_000],
  [12_000, 168, 3_000],
])(
  'on a chain of %i ms, %i that are counted too much after %i ms do not stand it',
  async (blockTimeMs, heavy, ms) => {
    const world = manualWorld();
    const read = readerOf(world, blockTimeMs, async (id, maxBodyBytes) => {
      if (!id.startsWith('heavy')) return frame;
      await world.sleep(maxBodyBytes <= small ? ms : 1_000);
      return tooMuch(maxBodyBytes);
    });
    const block = blockOf(7, heavy, 12);
    let movements: ToldSoFar = new Map();
    for (let round = 0; round < 10 && movements.size === 0; round++) {
      movements = await passing(world, () => read(block));
      world.advance(3_000);
    }
    expect([movements.size, told(movements)]).toEqual([heavy + 12, 12]);
  },
);

it('those that were counted larger than ordinary ones do not stand it where their state is gone', async () => {
  const world = manualWorld();
  const goneMs = world.nowMs() + 128 * 450;
  const read = readerOf(world, 450, async (id, maxBodyBytes) => {
    if (world.nowMs() >= goneMs) throw new NodeError('answered error -32000: missing trie node', -32_000);
    if (!id.startsWith('heavy')) return frame;
    await world.sleep(4_000);
    return maxBodyBytes <= small ? tooMuch(maxBodyBytes) : frame;
  });
  const block = blockOf(7, 30, 12);
  let movements: ToldSoFar = new Map();
  for (let round = 0; round < 10 && movements.size === 0; round++) {
    movements = await passing(world, () => read(block));
    // It waits for others meanwhile.
    world.advance(20_000);
  }
  expect(movements.size).toBe(42);
  expect(told(movements)).toBeGreaterThanOrEqual(12);
});

it('a larger one is not left out where it is said once that its state is not there', async () => {
  const world = manualWorld();
  let asked = 0;
  const read = readerOf(world, 12_000, async (id, maxBodyBytes) => {
    if (!id.startsWith('heavy')) return frame;
    if (maxBodyBytes <= small) return tooMuch(maxBodyBytes);
    if (asked++ === 0) throw new NodeError('answered error -32000: missing trie node', -32_000);
    return frame;
  });
  const block = blockOf(7, 1, 3);
  expect((await read(block)).size).toBe(0);
  expect(told(await read(block))).toBe(4);
});

it('those of as many blocks as are read at the same time are all passed in time', async () => {
  const world = manualWorld();
  const read = readerOf(world, 12_000, async (id) => {
    if (!id.startsWith('heavy')) return frame;
    throw new TooMuch('answered error -32000: response size exceeded', 'word');
  });
  const blocks = Array.from({ length: 16 }, (_, index) => blockOf(0x10 + index, 70, 2));
  let passed: readonly ToldSoFar[] = [new Map()];
  for (let round = 0; round < 6 && !passed.every(({ size }) => size > 0); round++) {
    passed = await Promise.all(blocks.map(read));
    world.advance(6_000);
  }
  expect(passed.map((movements) => [movements.size, told(movements)])).toEqual(blocks.map(() => [72, 2]));
});
