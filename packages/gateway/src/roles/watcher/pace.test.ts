// How often a chain is polled: twice a block while it is in use, and ever more seldom while it is idle.
import { afterEach, beforeEach, expect, it } from 'vitest';
import { insertQrCode, insertTestOrder, USDT } from '@ducat/testkit/fixtures';
import { WatchStage } from '@ducat/testkit/watcher/watch-stage';
import { createIdleChains } from '../../runtime/idle-chains.ts';
import { Outage } from '../../runtime/outage.ts';
import { walkChain } from './walk.ts';

/** Half a block of the stage's chain. */
const BY_BLOCKS = 500;
const IDLE = 6_000;
const never = new Promise<void>(() => undefined);

let stage: WatchStage;
beforeEach(async () => {
  stage = await WatchStage.open();
  stage.chain.mineEmpty(8);
});
afterEach(() => stage.close());

interface Stretch {
  readonly change?: Partial<WatchStage['watch']>;
  /** How many rests are taken. */
  readonly rests?: number;
  /** Called in each sleep with the time slept so far. */
  readonly during?: (sleptMs: number) => Promise<void>;
}

/** Walks to the head, and on as long as it is said; returns the milliseconds between the steps at the head. */
async function rests({ change = {}, rests: wanted = 1, during }: Stretch = {}): Promise<readonly number[]> {
  const rested: number[] = [];
  const stopping = new AbortController();
  let sinceStep = 0;
  let slept = 0;
  const sleep = async (ms: number) => {
    sinceStep += ms;
    slept += ms;
    await during?.(slept);
  };
  const chain = change.chain ?? stage.reader;
  const head = () => {
    if (sinceStep > 0) rested.push(sinceStep);
    sinceStep = 0;
    if (rested.length === wanted) stopping.abort();
    return chain.head();
  };
  const startMs = stage.watch.world.nowMs();
  const world = { ...stage.watch.world, sleep, nowMs: () => startMs + slept };
  const { reader, log } = { ...stage.watch, ...change };
  // No time passes in the wait for a look.
  const looking = {
    ...world,
    sleep: (ms: number, to?: AbortSignal) => (to === stopping.signal ? sleep(ms) : never),
  };
  const idle = createIdleChains({ reader, world: looking, log }, [chain.definition]);
  await walkChain({ ...stage.watch, ...change, chain: { ...chain, head }, world, idle }, stopping.signal);
  return rested;
}

/** Milliseconds of the first rest. */
async function rest(change: Partial<WatchStage['watch']> = {}): Promise<number> {
  const [first = 0] = await rests({ change });
  return first;
}

it('polls an idle chain after six seconds, and the longer it is idle the more seldom', async () => {
  const taken = await rests({ rests: 12 });
  expect(taken.slice(0, 4)).toEqual([IDLE, IDLE, IDLE, IDLE]);
  expect(taken).toEqual(taken.toSorted((a, b) => a - b));
  expect(taken.at(-1)).toBe(15_000);
});

it('ends the rest of an idle chain within three seconds of a new order', async () => {
  const during = async (sleptMs: number) => {
    if (sleptMs === 3_000) await insertTestOrder(stage.database);
  };
  expect(await rests({ rests: 3, during })).toEqual([3_000, BY_BLOCKS, BY_BLOCKS]);
});

it('polls twice a block for an open order, until its payment is final', async () => {
  const { address } = await insertTestOrder(stage.database);
  expect(await rest()).toBe(BY_BLOCKS);
  stage.chain.mine([{ transfers: [{ currencyId: USDT, from: '0xpayer', to: address, units: 10_000_000n }] }]);
  expect(await rest()).toBe(BY_BLOCKS);
  stage.chain.mineEmpty(8);
  expect(await rest()).toBe(IDLE);
});

it('polls twice a block for an unexpected payment, once it is seen', async () => {
  const to = await stage.freeAddress();
  stage.chain.mine([{ transfers: [{ currencyId: USDT, from: '0xpayer', to, units: 1n }] }]);
  expect(await rest()).toBe(BY_BLOCKS);
});

it('polls twice a block for a QR code, which may be paid at any time', async () => {
  await insertQrCode(stage.database);
  expect(await rest()).toBe(BY_BLOCKS);
});

it('polls twice a block below the head, where a block cannot be read', async () => {
  const block = stage.reader.block.bind(stage.reader);
  const chain = {
    ...stage.reader,
    block: (...asked: Parameters<typeof block>) =>
      asked[0] > 5 ? Promise.reject(new Outage('too many requests', { kind: 'throttled' })) : block(...asked),
  };
  expect(await rest({ chain })).toBe(BY_BLOCKS);
  expect((await stage.cursor()).head?.number).toBe(5);
});

it('polls twice a block where the query for idle chains fails', async () => {
  const { reader } = stage.database;
  const read: typeof reader.read = (sql, values) =>
    sql.includes('AS asked') ? Promise.reject(new Error('permission denied')) : reader.read(sql, values);
  expect(await rest({ reader: { read } })).toBe(BY_BLOCKS);
});
