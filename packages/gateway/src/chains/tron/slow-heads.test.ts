// One endpoint that is fast for blocks and slow to tell how far they go: nobody falls behind for it unnoticed.
import { describe, expect, it } from 'vitest';
import { agreeOnFinal } from '../endpoint/agree-final.ts';
import { EndpointPool } from '../endpoint/endpoint-pool.ts';
import { readHead } from '../endpoint/read-head.ts';
import { transfer } from '@ducat/testkit/chains/tron/read-bytes';
import { manualWorld } from '@ducat/testkit/chains/manual-world';
import { testCurrency, testDefinition } from '@ducat/testkit/chains/test-currencies';
import { mineBytes, transferPayload } from '@ducat/testkit/chains/tron/tron-bytes';
import { headerAt, TronEndpoint } from './endpoint.ts';
import { type NodeApi, NodeError } from './node-api.ts';
import { readSolid } from './read-solid.ts';
import { watchedOf } from './watched.ts';

const watchedWithTraces = watchedOf([testCurrency(1000, null)], 'debug');
const watchedWithout = watchedOf([testCurrency(1000, null)], 'none');
const firstHeight = 10;
const mine = (units: number) =>
  Array.from({ length: 400 }, (_, place) =>
    mineBytes(firstHeight + place, [{ raw: transfer(transferPayload(units)) }]),
  );
const mined = mine(5);
const branch = mine(6);
const blockMs = 3_000;
const batch = 16;
const slowMs = 19_000;
const firstHead = 49;
const firstSolid = 31;
/** Above the blocks that are read. */
const finalHeight = 30;

class OnAnyChain extends TronEndpoint {
  protected override checkIdentity(): Promise<void> {
    return Promise.resolve();
  }
}

interface Node {
  /** What it takes so long for. */
  readonly slow?: 'heads' | 'the final hash';
  /** Whether what it calls final does not move. */
  readonly standsStill?: boolean;
  /** Whether it is on a branch of its own. */
  readonly isAstray?: boolean;
}

function open(nodes: readonly Node[]) {
  const world = manualWorld();
  const definition = { ...testDefinition({ family: 'tron' }), nodeFinality: 'finalized' as const };
  const fromMs = world.nowMs();
  // The chain goes on meanwhile.
  const made = () => Math.floor((world.nowMs() - fromMs) / blockMs);
  const endpoints = nodes.map(({ slow, standsStill = false, isAstray = false }, index) => {
    const view =
      (isSolid: boolean): NodeApi =>
      async (name, question) => {
        const isHead = name === 'getblock' && question['id_or_num'] === undefined;
        const isHash = name === 'getblock' && question['id_or_num'] === String(finalHeight);
        if ((slow === 'heads' && isHead) || (slow === 'the final hash' && isHash)) world.advance(slowMs);
        const newest = isSolid ? firstSolid + (standsStill ? 0 : made()) : firstHead + made();
        const height = isHead ? newest : Number(question['num'] ?? question['id_or_num']);
        const block = (isAstray ? branch : mined)[height - firstHeight];
        if (name === 'gettransactioninfobyblocknum') return block?.receipts ?? [];
        if (name === 'getblock') return { ...block?.block, transactions: undefined };
        return block?.block ?? {};
      };
    const views = { full: view(false), solid: view(true) };
    return new OnAnyChain({ name: `node#${index + 1}`, ...views, unhurried: views, definition, world });
  });
  const pool = new EndpointPool('TRON', endpoints);
  const final = (atMost: number) =>
    agreeOnFinal(
      pool,
      definition,
      {
        ownFinality: async (one) => ({ height: await one.askSolidHead(), head: await one.askHead() }),
        hashAt: async (one, number) => (await headerAt(one.solid, number))?.header.hash ?? '',
      },
      atMost,
    );
  return {
    world,
    pool,
    made,
    final,
    healthy: () => pool.health().map(({ healthy }) => healthy),
    spare: () => pool.map(({ isSpare }) => isSpare),
    /** What the watcher asks for sixteen blocks while it catches up. */
    step: async (atMost: number) => {
      const beforeMs = world.nowMs();
      await readHead(pool);
      const block = await final(atMost);
      const heights = Array.from({ length: batch }, (_, at) => firstHeight + at);
      await Promise.all(heights.map((height) => readSolid(pool, 'TRON', height, watchedWithTraces)));
      return { number: block?.number, tookMs: world.nowMs() - beforeMs };
    },
  };
}

/** Two others and that node, which is at that place. */
const at = (place: number, node: Node, others: readonly Node[] = [{}, {}]) => [
  ...others.slice(0, place),
  node,
  ...others.slice(place),
];

describe('an endpoint of three that is slow', () => {
  it.each([
    ['heads', 0],
    ['heads', 1],
    ['heads', 2],
    ['the final hash', 0],
    ['the final hash', 1],
  ] as const)('for %s alone, at place %i, keeps others waiting once and is seen', async (slow, place) => {
    const { step, healthy, spare, pool } = open(at(place, { slow }));
    expect((await step(finalHeight)).number).toBe(finalHeight);
    const others = [0, 1, 2].map((one) => one !== place);
    expect(healthy()).toEqual(others);
    expect(spare()).toEqual(others.map((isOther) => !isOther));
    expect(pool.health()[place]?.lastError).toMatch(/takes longer than 10 s for (?:its head|what is final)/);
    for (let time = 0; time < 5; time++)
      expect(await step(finalHeight)).toEqual({ number: finalHeight, tookMs: 0 });
  });

  it('is heard where the others do not agree on a hash', async () => {
    const { final } = open([{ isAstray: true }, {}, { slow: 'heads' }]);
    for (let time = 0; time < 3; time++)
      expect(await final(finalHeight)).toEqual({
        number: finalHeight,
        hash: mined[finalHeight - firstHeight]?.id,
      });
  });

  // hits mark: spare-beside-one-that-trails
  it('is heard where one of the others stands still, so that what is final does not', async () => {
    const { final, made, world } = open([{ standsStill: true }, {}, { slow: 'heads' }]);
    for (let time = 0; time < 10; time++) {
      const solid = firstSolid + made();
      const block = await final(firstHead + made());
      expect(block?.number).toBeGreaterThanOrEqual(solid - 20);
      world.advance(batch * blockMs);
    }
  });
});

it('of two is waited for, and seen', async () => {
  const { step, healthy, spare } = open([{}, { slow: 'heads' }]);
  for (let time = 0; time < 2; time++) expect((await step(finalHeight)).tookMs).toBe(2 * slowMs);
  expect([healthy(), spare()]).toEqual([
    [true, false],
    [false, false],
  ]);
});

it('one that was slow once, and is asked only where there is trouble, is not in trouble for good', async () => {
  const world = manualWorld();
  const definition = testDefinition({ family: 'tron' });
  let isFirst = true;
  const endpoints = [0, 1, 2].map((index) => {
    const api: NodeApi = async (name) => {
      const isReceipts = name === 'gettransactioninfobyblocknum';
      if (isFirst && index === 0 && isReceipts) throw new NodeError('answered error: x');
      if (isFirst && index === 2) world.advance(6_000);
      if (isReceipts) return mined[0]?.receipts;
      return name === 'getblock' ? { ...mined[0]?.block, transactions: undefined } : mined[0]?.block;
    };
    const views = { full: api, solid: api };
    return new OnAnyChain({ name: `node#${index + 1}`, ...views, unhurried: views, definition, world });
  });
  const pool = new EndpointPool('TRON', endpoints);
  const healthy = () => pool.health().map((one) => one.healthy);
  await readSolid(pool, 'TRON', firstHeight, watchedWithout);
  expect(healthy()).toEqual([true, true, false]);
  isFirst = false;
  for (let minute = 0; minute < 10; minute++) {
    world.advance(60_000);
    await readSolid(pool, 'TRON', firstHeight, watchedWithout);
  }
  expect(healthy()).toEqual([true, true, true]);
});
