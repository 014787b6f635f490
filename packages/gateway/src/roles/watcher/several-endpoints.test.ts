// Several endpoints of one chain, of which one is astray, behind, made up or away: the same for every family.
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { type Branch, branchFamilies, type BranchNode } from '../../chains/testing/branch-nodes.ts';
import type { ChainPort } from '../../chains/port.ts';
import { Outage } from '../../outage.ts';
import { type ChainCursor, readCursors } from '../../store/cursors.ts';
import { openTestDatabase, type TestDatabase } from '../../testing/database.ts';
import { insertApp, plainEncode, TEST_LEASE } from '../../testing/fixtures.ts';
import type { World } from '../../world.ts';
import type { LeasedChain } from './parts.ts';
import { silentObserver } from './testing/silent-observer.ts';
import { stepChain } from './watch-chain.ts';

type Change = Partial<{ -readonly [Key in keyof BranchNode]: BranchNode[Key] }>;

let database: TestDatabase;
/** The true height, which is one block higher with each second. */
let height: number;
let nowMs: number;
const world: World = {
  nowMs: () => nowMs,
  random: (bytes) => new Uint8Array(bytes),
  sleep: (_, signal) => new Promise((resolve) => signal?.addEventListener('abort', () => resolve())),
};

beforeEach(async () => {
  database = await openTestDatabase(inject('postgresAdminUrl'));
  await insertApp(database);
  [height, nowMs] = [60, 1_700_001_000_000];
});
afterEach(() => database.drop());

/** A node on the true chain but for what is changed of it, each a value or what gives one. */
function nodeOf(main: Branch, change: { readonly [Key in keyof BranchNode]?: () => BranchNode[Key] } = {}) {
  return {
    get branch() {
      return change.branch?.() ?? main;
    },
    get head() {
      return change.head?.() ?? height;
    },
    get final() {
      return change.final?.() ?? height - 2;
    },
    get isAway() {
      return change.isAway?.() ?? false;
    },
  };
}

function watchOf(chain: ChainPort, startBlock: number | null = 0): LeasedChain {
  const nothing = () => undefined;
  return {
    chain,
    startBlock,
    transact: database.transact,
    reader: database.reader,
    world,
    encode: plainEncode,
    newEventId: () => 'evt',
    holder: TEST_LEASE.holder,
    lease: TEST_LEASE,
    log: { debug: nothing, info: nothing, warn: nothing, error: nothing },
    observer: silentObserver,
  };
}

/** Steps of one second each; what each came to, in the words of the outage where it was one. */
async function run(watch: LeasedChain, seconds: number, blocksPerSecond = 1): Promise<readonly string[]> {
  const steps: string[] = [];
  for (let second = 0; second < seconds; second++) {
    steps.push(await stepChain(watch).catch(wordsOf));
    nowMs += 1_000;
    height += blocksPerSecond;
  }
  return steps;
}

function wordsOf(error: unknown): string {
  if (error instanceof Outage) return `${error.kind}: ${error.message}`;
  throw error;
}

const cursor = async (): Promise<ChainCursor | undefined> => (await readCursors(database.reader)).get('ETH');
const reorgs = async (): Promise<number> => (await database.reader.read('SELECT 1 FROM reorgs', [])).length;
const healthy = (chain: ChainPort) => chain.health().map((one) => one.healthy);

describe.each(branchFamilies)('of $name', (family) => {
  const main = family.grow(420, 1);
  const minority = family.grow(420, 2, main.slice(0, 50));

  /** The books are that close to the head, and what is final as well. */
  async function expectCaughtUp(): Promise<void> {
    const { head, finalNumber, haltedReason } = (await cursor()) ?? {};
    expect(haltedReason).toBeNull();
    expect(head?.number).toBeGreaterThanOrEqual(height - 18);
    expect(main[head?.number ?? 0]?.hash).toBe(head?.hash);
    expect(finalNumber).toBeGreaterThanOrEqual(height - 25);
  }

  describe('one on a branch of its own', () => {
    it.each([
      ['that calls nothing of it final', () => 40],
      ['that calls it final', () => height - 2],
    ])('%s is put aside, and the chain goes on with the two others', async (_name, final) => {
      const astray = nodeOf(main, { branch: () => minority, final });
      const chain = family.chainOf([astray, nodeOf(main), nodeOf(main)], world);
      await run(watchOf(chain), 150);
      await expectCaughtUp();
      expect(await reorgs()).toBeLessThanOrEqual(2);
      expect(healthy(chain)).toEqual([false, true, true]);
      expect(chain.health()[0]?.lastError).toContain('others agree that');
    });

    it.runIf(family.takesTwo)('that is only asked to confirm is put aside as well', async () => {
      const astray = nodeOf(main, { branch: () => minority, final: () => 40 });
      const chain = family.chainOf([nodeOf(main), astray, nodeOf(main)], world);
      await run(watchOf(chain), 60);
      await expectCaughtUp();
      expect(await reorgs()).toBe(0);
      expect(healthy(chain)).toEqual([true, false, true]);
      expect(chain.health()[1]?.lastError).toContain('others agree that');
    });

    it('is used again once it shows the block that the others agreed on', async () => {
      let isAstray = true;
      const astray = nodeOf(main, { branch: () => (isAstray ? minority : main) });
      const asked: number[] = [];
      const chain = family.chainOf([astray, nodeOf(main), nodeOf(main)], world, asked);
      const watch = watchOf(chain);
      await run(watch, 130);
      expect(healthy(chain)[0]).toBe(false);
      isAstray = false;
      await run(watch, 70);
      // The others do without it.
      asked.length = 0;
      await run(watch, 5);
      expect(asked).not.toContain(0);
      nowMs += 3_600_000;
      await run(watch, 3);
      asked.length = 0;
      await run(watch, 1);
      expect(asked[0]).toBe(0);
      expect(healthy(chain)).toEqual([true, true, true]);
      await expectCaughtUp();
    });

    it('that makes up only the newest blocks, and tells the truth of each later, is read last', async () => {
      const forged = new Map<number, Branch>();
      const branch = (): Branch => {
        const truth = height - 6;
        const known = forged.get(truth) ?? family.grow(height, 3 + truth, main.slice(0, truth));
        forged.set(truth, known);
        return known;
      };
      const chain = family.chainOf([nodeOf(main, { branch }), nodeOf(main), nodeOf(main)], world);
      await run(watchOf(chain), 120);
      await expectCaughtUp();
      expect(await reorgs()).toBeLessThanOrEqual(8);
    });

    it('of two makes the chain wait and say so, without another block in the books', async () => {
      const kinds: string[] = [];
      const chain = family.chainOf([nodeOf(main, { branch: () => minority }), nodeOf(main)], world);
      const watch = watchOf(chain);
      const observer = { ...silentObserver, onOutage: (_: string, kind: string) => kinds.push(kind) };
      const steps = await run({ ...watch, observer }, 60);
      expect((await cursor())?.finalNumber ?? -1).toBeLessThan(50);
      expect([...kinds, ...steps.map((step) => step.split(':')[0])]).toContain('disagreement');
      // Nobody knows which one it is.
      expect(steps.some((step) => step.includes('rests'))).toBe(false);
      expect(await reorgs()).toBeLessThanOrEqual(1);
    });

    it('alone is followed where it goes', async () => {
      let isAstray = false;
      const chain = family.chainOf(
        [nodeOf(main, { branch: () => (isAstray ? minority : main), final: () => 45 })],
        world,
      );
      const watch = watchOf(chain);
      await run(watch, 10);
      isAstray = true;
      await run(watch, 10);
      const { head } = (await cursor()) ?? {};
      expect(minority[head?.number ?? 0]?.hash).toBe(head?.hash);
      expect(healthy(chain)).toEqual([true]);
    });
  });

  describe('a next block that never follows', () => {
    it.each([
      ['of another chain from its beginning on', (): Branch => family.grow(420, 9)],
      [
        'of which nobody has the parent',
        (): Branch =>
          main
            .map(({ number }) => (number > 61 ? family.stray(number) : main[number]))
            .flatMap((one) => one ?? []),
      ],
    ])('%s is not waited for', async (_name, make) => {
      let isAstray = false;
      const alien = make();
      const first = nodeOf(main, {
        branch: () => (isAstray ? [...main.slice(0, 2), ...alien.slice(2)] : main),
        final: () => 40,
      });
      const chain = family.chainOf([first, nodeOf(main), nodeOf(main)], world);
      const watch = watchOf(chain);
      await run(watch, 8);
      isAstray = true;
      await run(watch, 60);
      await expectCaughtUp();
      expect(healthy(chain)).toEqual([false, true, true]);
      await run(watch, 200);
      const steps = await run(watch, 40);
      expect(steps.filter((step) => step.includes(':'))).toEqual([]);
      await expectCaughtUp();
      expect(await reorgs()).toBeLessThanOrEqual(1);
    });
  });

  describe('a head', () => {
    it.each<readonly [string, () => number]>([
      ['moves between two old heights', () => 20 + (Math.floor(nowMs / 8_000) % 2)],
      ['comes from far behind', () => 20 + Math.floor((nowMs - 1_700_001_000_000) / 4_000)],
      ['goes back and rises again and again', () => 20 + (Math.floor(nowMs / 1_000) % 12)],
      ['is made up, far ahead', () => 1_000_000_000 + height],
      ['is made up and stands', () => 1_000_000_000],
    ])('that %s does not decide, wherever it is', async (_name, head) => {
      for (const place of [0, 1, 2]) {
        let isBad = false;
        const bad = nodeOf(main, {
          head: () => (isBad ? head() : height),
          final: () => Math.min(height, isBad ? head() : height) - 2,
        });
        const nodes = [nodeOf(main), nodeOf(main)].toSpliced(place, 0, bad);
        const chain = family.chainOf(nodes, world);
        const watch = watchOf(chain);
        await run(watch, 8);
        isBad = true;
        const steps = await run(watch, 50);
        await expectCaughtUp();
        expect(steps.filter((step) => step.includes(':')).length).toBeLessThan(20);
      }
    });

    it('of two, the preferred one between two old heights, is not followed where one is enough', async () => {
      const head = () => 20 + (Math.floor(nowMs / 8_000) % 2);
      const chain = family.chainOf([nodeOf(main, { head }), nodeOf(main)], world);
      const steps = await run(watchOf(chain), 60);
      const read = (await cursor())?.head?.number;
      if (!family.takesTwo) expect(read).toBeGreaterThanOrEqual(height - 18);
      else {
        expect(read).toBeLessThanOrEqual(21);
        expect(steps.at(-1)).toMatch(/n0 (stands still|is far behind).*nothing confirms what moved inside/);
      }
    });

    it('of two, far behind and rising, is told of', async () => {
      const head = () => 20 + Math.floor((nowMs - 1_700_001_000_000) / 4_000);
      const chain = family.chainOf([nodeOf(main, { head, final: () => 10 }), nodeOf(main)], world);
      await run(watchOf(chain), 60);
      expect(chain.health()[0]?.lastError).toMatch(/tells head \d+, and others have come as far as/);
    });

    it('at rest costs one question to each other endpoint in fifteen seconds', async () => {
      const asked: number[] = [];
      const chain = family.chainOf([nodeOf(main), nodeOf(main), nodeOf(main)], world, asked);
      const watch = watchOf(chain);
      await run(watch, 20, 0);
      height += 1;
      await run(watch, 1, 0);
      asked.length = 0;
      await run(watch, 14, 0);
      const others = asked.filter((place) => place > 0);
      expect(others.length).toBeLessThanOrEqual(2);
    });
  });

  describe('where a chain begins', () => {
    it('is not where an endpoint that is not synced yet is', async () => {
      height = 300;
      const first = nodeOf(main, { head: () => 0, final: () => 0 });
      const chain = family.chainOf([first, nodeOf(main), nodeOf(main)], world);
      await run(watchOf(chain, null), 20);
      expect((await cursor())?.startNumber).toBe(297);
      await expectCaughtUp();
    });

    it('is not a head that one endpoint made up with blocks for it', async () => {
      let isMadeUp = true;
      const forged = family.grow(420, 7, main.slice(0, 60));
      const first = nodeOf(main, {
        branch: () => (isMadeUp ? forged : main),
        head: () => (isMadeUp ? 410 : height),
      });
      const chain = family.chainOf([first, nodeOf(main), nodeOf(main)], world);
      const watch = watchOf(chain, null);
      await run(watch, 1);
      isMadeUp = false;
      await run(watch, 20);
      expect((await cursor())?.startNumber).toBeLessThanOrEqual(80);
      await expectCaughtUp();
    });

    it('is no block that one endpoint alone has', async () => {
      const first = nodeOf(main, { branch: () => minority });
      const chain = family.chainOf([first, nodeOf(main), nodeOf(main)], world);
      const steps = await run(watchOf(chain, 59), 10);
      const words = family.takesTwo
        ? 'others agree that'
        : 'would be the first one in the books, and no second endpoint has it';
      expect(steps[0]).toContain(words);
      expect(healthy(chain)).toEqual([false, true, true]);
      const [own] = await database.reader.read<{ hash: string }>(
        'SELECT hash FROM blocks WHERE number = 59',
        [],
      );
      expect(own?.hash).toBe(main[59]?.hash);
      expect(await reorgs()).toBe(0);
    });

    it.each<readonly [string, Change, string]>([
      ['is not synced', { head: 0, final: 0 }, 'n0 tells head 0; n1 tells head 60'],
      ['is away', { isAway: true }, 'n1 tells head 60'],
    ])('waits where one of two %s, says why, and rests nobody', async (_name, change, words) => {
      let isBad = true;
      const first = nodeOf(main, {
        head: () => (isBad ? (change.head ?? height) : height),
        final: () => (isBad ? (change.final ?? height - 2) : height - 2),
        isAway: () => isBad && change.isAway === true,
      });
      const chain = family.chainOf([first, nodeOf(main)], world);
      const watch = watchOf(chain, null);
      const [told] = await run(watch, 1, 0);
      expect(told).toContain('where to begin has to be told by two endpoints about alike');
      expect(told).toContain(words);
      expect(await cursor()).toBeUndefined();
      isBad = false;
      await run(watch, 20);
      await expectCaughtUp();
    });

    it('is the word of the only one where one is configured', async () => {
      await run(watchOf(family.chainOf([nodeOf(main)], world), null), 20);
      expect((await cursor())?.startNumber).toBe(57);
      await expectCaughtUp();
    });
  });
});
