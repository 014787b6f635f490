// One of three endpoints that would hold up its chain, or have money credited too early: the two others go on without it.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Branch, branchFamilies, type BranchFamily } from '@ducat/testkit/chains/branch-nodes';
import type { ChainPort } from '../../chains/port.ts';
import type { LeasedChain } from './parts.ts';
import { BranchStage, healthy } from '@ducat/testkit/watcher/branch-stage';
import { silentObserver } from '@ducat/testkit/watcher/silent-observer';
import { stepChain } from './watch-chain.ts';

let stage: BranchStage;
beforeEach(async () => {
  stage = await BranchStage.open();
});
afterEach(() => stage.close());

const evm = branchFamilies.find(({ takesTwo, name }) => !takesTwo && name === 'EVM') as BranchFamily;

describe.each(branchFamilies)('a block of $name that nothing follows', (family) => {
  // Without anything inside that a second endpoint would have to tell alike.
  const maker = family.takesTwo ? evm : family;
  const at = 70;
  const main = family.grow(400, 1);
  const bent = (salt: number): Branch => main.with(at, one(maker.grow(at, salt, main.slice(0, at)).at(-1)));
  /** As on Ethereum: by epochs, far below the head. */
  const final = (): number => Math.max(0, Math.floor((stage.height - 40) / 32) * 32);

  it.each<readonly [string, () => Branch]>([
    ['is always the same', () => bent(77)],
    ['is another one at each reading', () => bent(Math.floor(stage.nowMs / 1_000) % 100_000)],
  ])('and that %s is not read from the one of three that tells it', async (_name, branch) => {
    const liar = stage.nodeOf(main, { branch, final });
    const chain = family.chainOf(
      [liar, stage.nodeOf(main, { final }), stage.nodeOf(main, { final })],
      stage.world,
    );
    await stage.run(stage.watchOf(chain), 150);
    expect((await stage.cursor())?.head?.number).toBeGreaterThanOrEqual(stage.height - 18);
    expect((await stage.cursor())?.finalNumber).toBeGreaterThanOrEqual(final());
    expect(await stage.reorgs()).toBeLessThanOrEqual(9);
  });

  it.each([[70], [61]])(
    'and stands on a sibling of block %i, which it has undone, is not followed',
    async (from) => {
      const sibling = maker.grow(from + 1, 77, main.slice(0, from));
      const branch = main.with(from + 1, one(sibling[from + 1]));
      stage.height = 75;
      const liar = stage.nodeOf(main, { branch: () => branch, siblings: sibling.slice(from), final });
      const chain = family.chainOf(
        [liar, stage.nodeOf(main, { final }), stage.nodeOf(main, { final })],
        stage.world,
      );
      await stage.run(stage.watchOf(chain, 61), 150);
      expect((await stage.cursor())?.head?.number).toBeGreaterThanOrEqual(stage.height - 18);
      expect(await stage.reorgs()).toBeLessThanOrEqual(9);
    },
  );

  it('makes the chain of two wait and say so, and what is final below it is settled', async () => {
    const kinds: string[] = [];
    const liar = stage.nodeOf(main, { branch: () => bent(77), final });
    const chain = family.chainOf([liar, stage.nodeOf(main, { final })], stage.world);
    const observer = { ...silentObserver, onOutage: (_: string, kind: string) => kinds.push(kind) };
    const steps = await stage.run({ ...stage.watchOf(chain), observer }, 120);
    expect([...kinds, ...steps.map((step) => step.split(':')[0])]).toContain('disagreement');
    expect((await stage.cursor())?.finalNumber).toBeGreaterThanOrEqual(64);
    expect(steps.filter((step) => step === 'busy').length).toBeLessThan(20);
  });
});

describe.each(branchFamilies)('forks of $name as they are', (family) => {
  const main = family.grow(200, 1);
  const final = () => 60;

  it.each([1, 2, 3])('rest nobody and are no outage, three in a row, with endpoints: %i', async (count) => {
    const versions = [11, 12, 13].map((salt) => family.grow(70, salt, main.slice(0, 70)));
    let branch: Branch = main;
    stage.height = 70;
    const nodes = Array.from({ length: count }, () => stage.nodeOf(main, { branch: () => branch, final }));
    const chain = family.chainOf(nodes, stage.world);
    const watch = stage.watchOf(chain);
    await stage.run(watch, 10, 0);
    const steps: string[] = [];
    for (const version of [...versions, main]) {
      branch = version;
      steps.push(...(await stage.run(watch, 3, 0)));
      expect(healthy(chain)).not.toContain(false);
    }
    steps.push(...(await stage.run(watch, 5)));
    expect(steps.filter((step) => step.includes(':'))).toEqual([]);
    expect(await stage.reorgs()).toBe(4);
  });
});

/** Until that time by the clock; the longest time without a step's end, and the furthest that the books were behind. */
async function walk(watch: LeasedChain, untilMs: number, headNow: () => number) {
  let [longestMs, furthest] = [0, 0];
  while (stage.nowMs < untilMs) {
    const fromMs = stage.nowMs;
    const step = await stepChain(watch).catch(() => 'outage');
    longestMs = Math.max(longestMs, stage.nowMs - fromMs);
    furthest = Math.max(furthest, headNow() - ((await stage.cursor())?.head?.number ?? 0));
    stage.nowMs += step === 'busy' ? 50 : 500;
  }
  return { longestMs, furthest };
}

function chainOf(nodes: Parameters<BranchFamily['chainOf']>[0], more: object): ChainPort {
  return evm.chainOf(nodes, stage.world, [], more);
}

describe('an endpoint that is slow', () => {
  it('to tell what its newest block stands on holds its chain for moments, and rests', async () => {
    const main = evm.grow(400, 1);
    const blockTimeMs = 12_000;
    const start = stage.nowMs;
    const head = (): number => 200 + Math.floor((stage.nowMs - start) / blockTimeMs);
    const final = (): number => Math.floor((head() - 64) / 32) * 32;
    let branch = main;
    const onAsked = (method: string): void => {
      if (method === 'eth_getBlockByHash') stage.nowMs += 19_000;
    };
    const liar = stage.nodeOf(main, { branch: () => branch, head, final, onAsked });
    const honest = stage.nodeOf(main, { head, final });
    const chain = chainOf([liar, honest, honest], { confirmations: 12, blockTimeMs, windowBlocks: 128 });
    const watch = stage.watchOf(chain, 100);
    await walk(watch, stage.nowMs + 60_000, head);
    branch = evm.grow(400, 2, main.slice(0, final() + 1));
    const { longestMs, furthest } = await walk(watch, stage.nowMs + 900_000, head);
    expect(longestMs).toBeLessThan(60_000);
    expect(furthest).toBeLessThan(10);
    expect(main[(await stage.cursor())?.head?.number ?? 0]?.hash).toBe((await stage.cursor())?.head?.hash);
  });

  it.each<readonly [string, (which: string, isWhole: unknown) => boolean, number]>([
    ['its head', (which) => which === 'eth_blockNumber', 9_000],
    ['all but whole blocks', (_which, isWhole) => isWhole !== true, 2_500],
  ])('with %s on a fast chain is done without where two others are sooner', async (_name, isSlow, ms) => {
    const main = evm.grow(1_000, 1);
    const blockTimeMs = 450;
    const start = stage.nowMs;
    const head = (): number => 120 + Math.floor((stage.nowMs - start) / blockTimeMs);
    const onAsked = (method: string, params: unknown): void => {
      if (isSlow(method, Array.isArray(params) && params[1])) stage.nowMs += ms;
    };
    const node = { head, final: () => head() - 2 };
    const nodes = [
      stage.nodeOf(main, { ...node, onAsked }),
      stage.nodeOf(main, node),
      stage.nodeOf(main, node),
    ];
    const chain = chainOf(nodes, { confirmations: 15, blockTimeMs });
    await walk(stage.watchOf(chain, 100), stage.nowMs + 240_000, head);
    expect(head() - ((await stage.cursor())?.head?.number ?? 0)).toBeLessThan(60);
  });
});

it('an endpoint that undoes a little of each batch does not leave its chain behind', async () => {
  const main = evm.grow(1_000, 1);
  const blockTimeMs = 450;
  const start = stage.nowMs;
  const head = (): number => 120 + Math.floor((stage.nowMs - start) / blockTimeMs);
  let branch = main;
  const onAsked = (_: string, params: unknown): void => {
    if (!(Array.isArray(params) && params[1] === true)) stage.nowMs += 700;
  };
  const node = { head, final: () => head() - 2 };
  const liar = stage.nodeOf(main, { ...node, onAsked, branch: () => branch });
  const nodes = [liar, stage.nodeOf(main, node), stage.nodeOf(main, node)];
  const watch = stage.watchOf(chainOf(nodes, { confirmations: 15, blockTimeMs }), 100);
  const untilMs = stage.nowMs + 300_000;
  while (stage.nowMs < untilMs) {
    const bent = ((await stage.cursor())?.head?.number ?? 200) + 3;
    branch = main.with(bent, one(evm.grow(bent, 77, main.slice(0, bent)).at(-1)));
    const step = await stepChain(watch).catch(() => 'outage');
    stage.nowMs += step === 'busy' ? 50 : 500;
  }
  expect(head() - ((await stage.cursor())?.head?.number ?? 0)).toBeLessThan(60);
});

describe('where nodes have no finality of their own', () => {
  it('an endpoint that makes blocks up confirms nothing with them', async () => {
    const main = evm.grow(60, 1);
    const liar = stage.nodeOf(main, { branch: () => evm.grow(71, 2, main), head: () => 71 });
    const chain = chainOf([liar, stage.nodeOf(main), stage.nodeOf(main)], {
      nodeFinality: 'none',
      confirmations: 12,
    });
    await stage.run(stage.watchOf(chain), 12, 0);
    expect((await stage.cursor())?.finalNumber).toBe(49);
    expect(healthy(chain).slice(1)).toEqual([true, true]);
  });
});

function one<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('there is none');
  return value;
}
