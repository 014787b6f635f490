// Traces one by one: what is asked again, what is given up for too many, and what an endpoint that drips them costs.
import { beforeEach, describe, expect, it } from 'vitest';
import { Outage } from '../../runtime/outage.ts';
import { LyingNode } from '../endpoint/lying-node.ts';
import { Throttled } from '../endpoint/throttled.ts';
import { TooMuch } from '../endpoint/too-much.ts';
import { manualWorld } from '@ducat/testkit/chains/manual-world';
import { rawHeader } from '@ducat/testkit/chains/evm/raw-header';
import { testCurrency, testDefinition } from '@ducat/testkit/chains/test-currencies';
import { Endpoint } from './endpoint.ts';
import type { ExecutedBlock, ExecutedTransaction } from './executed-block.ts';
import { readInParts } from './inner-in-parts.ts';
import type { CallFrame } from './native-transfers.ts';
import { OutOfTime } from './reading-time.ts';
import { NodeError, type Rpc } from './rpc.ts';

const hash = `0x${'a1'.repeat(32)}`;
const place = `0x${'b2'.repeat(20)}`;
const count = 40;
const coin = testCurrency(1000, null, 18);
const transactions = Array.from(
  { length: count },
  (_, index): ExecutedTransaction => ({
    id: `tx${index}`,
    recipient: place,
    value: 0n,
    succeeded: true,
    gas: BigInt(50_000 + index),
    mayMoveInside: true,
    movements: [],
  }),
);
const block: ExecutedBlock = { header: { number: 7, hash, parentHash: hash, time: 0 }, transactions };
const pays = { type: 'CALL', from: place, to: place, value: '0x5' };
const frame: CallFrame = { type: 'CALL', from: place, to: place, value: '0x0', calls: [pays] };
const small = 64 * 1024;

let world: ReturnType<typeof manualWorld>;
let asked: string[];
beforeEach(() => {
  world = manualWorld();
  asked = [];
});

function readerOf(trace: (id: string, maxBodyBytes: number) => Promise<CallFrame>, blockTimeMs = 12_000) {
  const rpcOf = (maxBodyBytes: number): Rpc => ({
    name: 'node',
    batch: async () => [],
    async call(method, [id]) {
      if (method === 'eth_chainId') return '0x7a69';
      if (method === 'eth_getBlockByNumber') return { ...rawHeader, number: '0x7', hash };
      asked.push(String(id));
      return trace(String(id), maxBodyBytes);
    },
  });
  const endpoint = new Endpoint({ name: 'node', rpcOf, definition: testDefinition({ blockTimeMs }), world });
  const traceOne = async (rpc: Rpc, id: string): Promise<CallFrame> => Object(await rpc.call('trace', [id]));
  const places = [...transactions.keys()];
  return {
    read: () =>
      readInParts({ endpoint, time: endpoint.startReading(), traceOne, block, places, currency: coin }),
    endpoint,
  };
}

const numberOf = (id: string): number => Number(id.slice(2));
const movedIn = (told: ReadonlyMap<number, readonly unknown[] | null>): readonly number[] =>
  [...told.entries()].flatMap(([index, movements]) => (movements?.length === 1 ? index : []));

describe('readInParts', () => {
  it('asks again only for what was not told when an outage came in between', async () => {
    let isAway = true;
    const { read } = readerOf(async (id) => {
      if (isAway && numberOf(id) === 20) throw new Throttled('answered HTTP 503');
      return frame;
    });
    await expect(read()).rejects.toThrow('HTTP 503');
    isAway = false;
    asked = [];
    expect(movedIn(await read())).toHaveLength(count);
    expect(asked.length).toBeLessThanOrEqual(count - 16);
    // Nothing is believed for having been told before.
    asked = [];
    await read();
    expect(new Set(asked).size).toBe(count);
  });

  it('gives up those of too many large ones that used the least gas', async () => {
    const isLarge = (id: string): boolean => numberOf(id) % 2 === 0;
    const { read } = readerOf(async (id, maxBodyBytes) => {
      if (isLarge(id) && maxBodyBytes <= small) throw new TooMuch('is large');
      return frame;
    });
    const told = await read();
    const left = [...told.entries()].filter(([, movements]) => movements === null).map(([index]) => index);
    expect(left.sort((one, other) => one - other)).toEqual([0, 2, 4, 6]);
    expect(movedIn(told)).toHaveLength(count - left.length);
  });

  it('does not ask again for what was counted to be too much', async () => {
    const { read } = readerOf(async (id) => {
      if (id === 'tx3') throw new TooMuch('is huge');
      return frame;
    });
    for (const times of [2, 0]) {
      asked = [];
      expect((await read()).get(3)).toBeNull();
      expect(asked.filter((id) => id === 'tx3')).toHaveLength(times);
    }
  });

  it('ends with its time where they come one after the other, and goes on from there', async () => {
    const { read } = readerOf(async (id) => {
      if (numberOf(id) % 8 === 0) world.advance(19_000);
      return frame;
    });
    const fromMs = world.nowMs();
    await expect(read()).rejects.toThrow(OutOfTime);
    expect(world.nowMs() - fromMs).toBeLessThan(80_000);
    expect(movedIn(await read())).toHaveLength(count);
    // One more showed that it traces at all.
    expect(asked).toHaveLength(count + 1);
  });

  it('waits for one that is not told no longer than 64 blocks take', async () => {
    const { read } = readerOf(async (id) => {
      if (id === 'tx3') throw new TooMuch('execution timeout', 'time');
      return frame;
    }, 450);
    for (let time = 0; time < 2; time++) {
      await expect(read()).rejects.toMatchObject({ kind: 'unreadable-block' });
      world.advance(14_400);
    }
    expect((await read()).get(3)).toBeNull();
  });

  it('passes those of which the state is gone that were not told once while others were', async () => {
    let isGone = false;
    let failing = ['tx3'];
    const { read } = readerOf(async (id) => {
      if (isGone) throw new NodeError('answered error -32000: historical state unavailable', -32_000);
      if (failing.includes(id)) throw new Outage('answered HTTP 502', { retryable: true });
      return frame;
    });
    await expect(read()).rejects.toMatchObject({ kind: 'unreadable-block' });
    isGone = true;
    const told = await read();
    expect(told.get(3)).toBeNull();
    expect(movedIn(told)).toHaveLength(count - 1);
    // All of them: it was the tracing that was away, and no transaction.
    isGone = false;
    failing = transactions.map(({ id }) => id);
    const away = readerOf(async (id) => {
      if (isGone) throw new NodeError('answered error -32000: historical state unavailable', -32_000);
      if (failing.includes(id)) throw new Outage('answered HTTP 502', { retryable: true });
      return frame;
    });
    for (let time = 0; time < 4; time++) {
      isGone = time > 1;
      await expect(away.read()).rejects.toThrow(
        isGone ? 'historical state unavailable' : 'traces nothing now',
      );
      world.advance(300_000);
    }
  });

  it('passes nothing where a provider wants to be asked less often whatever it is asked for', async () => {
    let isBusy = false;
    const { read } = readerOf(async (id) => {
      if (isBusy || id === 'tx3') throw new Throttled('answered HTTP 429');
      return frame;
    });
    await expect(read()).rejects.toThrow('HTTP 429');
    isBusy = true;
    for (let time = 0; time < 4; time++) {
      world.advance(300_000);
      await expect(read()).rejects.toThrow('HTTP 429');
    }
    isBusy = false;
    await expect(read()).rejects.toThrow('HTTP 429');
  });

  it('believes no more movements of a transaction than its gas pays for', async () => {
    const most = Number((transactions[0]?.gas ?? 0n) / 2_000n);
    const moving = (times: number): CallFrame => ({
      ...frame,
      calls: Array.from({ length: times }, () => pays),
    });
    let times = most;
    const { read } = readerOf(async () => moving(times));
    expect([...(await read()).values()].every((movements) => movements?.length === most)).toBe(true);
    times = most + 1;
    await expect(read()).rejects.toThrow(LyingNode);
  });

  it.each([
    ['one that breaks it each time', 'tx3', [3]],
    ['nobody', null, []],
  ] as const)('passes, where the tracing breaks again and again, %s', async (_name, breaks, passed) => {
    let brokenUntilMs = 0;
    let left = 0;
    const { read, endpoint } = readerOf(async (id) => {
      if (world.nowMs() >= brokenUntilMs && (breaks === null ? left-- === 0 : id === breaks))
        brokenUntilMs = world.nowMs() + 10_000;
      if (world.nowMs() < brokenUntilMs) throw new Outage('answered HTTP 502', { retryable: true });
      return frame;
    }, 450);
    let told: ReadonlyMap<number, readonly unknown[] | null> = new Map();
    for (let time = 0; time < 30 && told.size < count; time++) {
      world.advance(15_000);
      left = 6;
      told = await endpoint.run(read).catch((error: unknown) => {
        if (error instanceof Outage) return new Map();
        throw error;
      });
      expect(endpoint.available).toBe(true);
    }
    expect([...told].flatMap(([index, movements]) => (movements === null ? index : []))).toEqual(passed);
    expect(movedIn(told)).toHaveLength(count - passed.length);
  });

  it('goes on where what it traced last went with a fork', async () => {
    const { read, endpoint } = readerOf(async (id) => {
      if (id === 'gone') throw new NodeError('answered error -32000: transaction not found', -32_000);
      return frame;
    });
    endpoint.traces.noteTraced('gone');
    expect(movedIn(await read())).toHaveLength(count);
  });

  it('passes nothing while nothing at all is traced, also after it traced others', async () => {
    let isAway = false;
    const { read, endpoint } = readerOf(async (id) => {
      if (isAway || id === 'tx3') throw new TooMuch('answered HTTP 504', 'time');
      return frame;
    });
    await expect(read()).rejects.toMatchObject({ kind: 'unreadable-block' });
    expect(endpoint.health()).toMatchObject({ healthy: true });
    isAway = true;
    for (let time = 0; time < 4; time++) {
      world.advance(300_000);
      await expect(read()).rejects.toThrow('traces nothing now: answered HTTP 504');
      expect(endpoint.health()).toMatchObject({ healthy: false });
    }
    isAway = false;
    await expect(read()).rejects.toMatchObject({ kind: 'unreadable-block' });
    world.advance(300_000);
    const told = await read();
    expect(told.get(3)).toBeNull();
    expect(movedIn(told)).toHaveLength(count - 1);
    expect(endpoint.health()).toMatchObject({ healthy: true });
  });
});
