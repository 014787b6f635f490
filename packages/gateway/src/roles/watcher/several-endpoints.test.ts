// Several endpoints of one chain, of which one is astray, behind, made up or away: the same for every family.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Branch, branchFamilies, type BranchNode } from '@ducat/testkit/chains/branch-nodes';
import { BranchStage, healthy } from '@ducat/testkit/watcher/branch-stage';
import { silentObserver } from '@ducat/testkit/watcher/silent-observer';

let stage: BranchStage;
beforeEach(async () => {
  stage = await BranchStage.open();
});
afterEach(() => stage.close());

describe.each(branchFamilies)('of $name', (family) => {
  const main = family.grow(420, 1);
  const minority = family.grow(420, 2, main.slice(0, 50));

  /** The books are that close to the head, and what is final as well. */
  async function expectCaughtUp(): Promise<void> {
    const { head, finalNumber, haltedReason } = (await stage.cursor()) ?? {};
    expect(haltedReason).toBeNull();
    expect(head?.number).toBeGreaterThanOrEqual(stage.height - 18);
    expect(main[head?.number ?? 0]?.hash).toBe(head?.hash);
    expect(finalNumber).toBeGreaterThanOrEqual(stage.height - 25);
  }

  describe('one on a branch of its own', () => {
    it.each([
      ['that calls nothing of it final', () => 40],
      ['that calls it final', () => stage.height - 2],
    ])('%s is put aside, and the chain goes on with the two others', async (_name, final) => {
      const astray = stage.nodeOf(main, { branch: () => minority, final });
      const chain = family.chainOf([astray, stage.nodeOf(main), stage.nodeOf(main)], stage.world);
      await stage.run(stage.watchOf(chain), 150);
      await expectCaughtUp();
      expect(await stage.reorgs()).toBeLessThanOrEqual(2);
      expect(healthy(chain)).toEqual([false, true, true]);
      expect(chain.health()[0]?.lastError).toContain('others agree that');
    });

    it.runIf(family.takesTwo)('that is only asked to confirm is put aside as well', async () => {
      const astray = stage.nodeOf(main, { branch: () => minority, final: () => 40 });
      const chain = family.chainOf([stage.nodeOf(main), astray, stage.nodeOf(main)], stage.world);
      await stage.run(stage.watchOf(chain), 60);
      await expectCaughtUp();
      expect(await stage.reorgs()).toBe(0);
      expect(healthy(chain)).toEqual([true, false, true]);
      expect(chain.health()[1]?.lastError).toContain('others agree that');
    });

    it('is used again once it shows the block that the others agreed on', async () => {
      let isAstray = true;
      const astray = stage.nodeOf(main, { branch: () => (isAstray ? minority : main) });
      const asked: number[] = [];
      const chain = family.chainOf([astray, stage.nodeOf(main), stage.nodeOf(main)], stage.world, asked);
      const watch = stage.watchOf(chain);
      await stage.run(watch, 130);
      expect(healthy(chain)[0]).toBe(false);
      isAstray = false;
      await stage.run(watch, 70);
      // The others do without it.
      asked.length = 0;
      await stage.run(watch, 5);
      expect(asked).not.toContain(0);
      stage.nowMs += 3_600_000;
      await stage.run(watch, 3);
      asked.length = 0;
      await stage.run(watch, 1);
      expect(asked[0]).toBe(0);
      expect(healthy(chain)).toEqual([true, true, true]);
      await expectCaughtUp();
    });

    it('that makes up only the newest blocks, and tells the truth of each later, is read last', async () => {
      const forged = new Map<number, Branch>();
      const branch = (): Branch => {
        const truth = stage.height - 6;
        const known = forged.get(truth) ?? family.grow(stage.height, 3 + truth, main.slice(0, truth));
        forged.set(truth, known);
        return known;
      };
      const chain = family.chainOf(
        [stage.nodeOf(main, { branch }), stage.nodeOf(main), stage.nodeOf(main)],
        stage.world,
      );
      await stage.run(stage.watchOf(chain), 120);
      await expectCaughtUp();
      expect(await stage.reorgs()).toBeLessThanOrEqual(8);
    });

    it('of two makes the chain wait and say so, without another block in the books', async () => {
      const kinds: string[] = [];
      const chain = family.chainOf(
        [stage.nodeOf(main, { branch: () => minority }), stage.nodeOf(main)],
        stage.world,
      );
      const watch = stage.watchOf(chain);
      const observer = { ...silentObserver, onOutage: (_: string, kind: string) => kinds.push(kind) };
      const steps = await stage.run({ ...watch, observer }, 60);
      expect((await stage.cursor())?.finalNumber ?? -1).toBeLessThan(50);
      expect([...kinds, ...steps.map((step) => step.split(':')[0])]).toContain('disagreement');
      // Nobody knows which one it is.
      expect(steps.some((step) => step.includes('rests'))).toBe(false);
      expect(await stage.reorgs()).toBeLessThanOrEqual(1);
    });

    it('alone is followed where it goes', async () => {
      let isAstray = false;
      const chain = family.chainOf(
        [stage.nodeOf(main, { branch: () => (isAstray ? minority : main), final: () => 45 })],
        stage.world,
      );
      const watch = stage.watchOf(chain);
      await stage.run(watch, 10);
      isAstray = true;
      await stage.run(watch, 10);
      const { head } = (await stage.cursor()) ?? {};
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
      const first = stage.nodeOf(main, {
        branch: () => (isAstray ? [...main.slice(0, 2), ...alien.slice(2)] : main),
        final: () => 40,
      });
      const chain = family.chainOf([first, stage.nodeOf(main), stage.nodeOf(main)], stage.world);
      const watch = stage.watchOf(chain);
      await stage.run(watch, 8);
      isAstray = true;
      await stage.run(watch, 60);
      await expectCaughtUp();
      expect(healthy(chain)).toEqual([false, true, true]);
      await stage.run(watch, 200);
      const steps = await stage.run(watch, 40);
      expect(steps.filter((step) => step.includes(':'))).toEqual([]);
      await expectCaughtUp();
      expect(await stage.reorgs()).toBeLessThanOrEqual(1);
    });
  });

  describe('a head', () => {
    it.each<readonly [string, () => number]>([
      ['moves between two old heights', () => 20 + (Math.floor(stage.nowMs / 8_000) % 2)],
      ['comes from far behind', () => 20 + Math.floor((stage.nowMs - 1_700_001_000_000) / 4_000)],
      ['goes back and rises again and again', () => 20 + (Math.floor(stage.nowMs / 1_000) % 12)],
      ['is made up, far ahead', () => 1_000_000_000 + stage.height],
      ['is made up and stands', () => 1_000_000_000],
    ])('that %s does not decide, wherever it is', async (_name, head) => {
      for (const place of [0, 1, 2]) {
        let isBad = false;
        const bad = stage.nodeOf(main, {
          head: () => (isBad ? head() : stage.height),
          final: () => Math.min(stage.height, isBad ? head() : stage.height) - 2,
        });
        const nodes = [stage.nodeOf(main), stage.nodeOf(main)].toSpliced(place, 0, bad);
        const chain = family.chainOf(nodes, stage.world);
        const watch = stage.watchOf(chain);
        await stage.run(watch, 8);
        isBad = true;
        const steps = await stage.run(watch, 50);
        await expectCaughtUp();
        expect(steps.filter((step) => step.includes(':')).length).toBeLessThan(20);
      }
    });

    it('of two, the preferred one between two old heights, is not followed where one is enough', async () => {
      const head = () => 20 + (Math.floor(stage.nowMs / 8_000) % 2);
      const chain = family.chainOf([stage.nodeOf(main, { head }), stage.nodeOf(main)], stage.world);
      const steps = await stage.run(stage.watchOf(chain), 60);
      const read = (await stage.cursor())?.head?.number;
      if (!family.takesTwo) expect(read).toBeGreaterThanOrEqual(stage.height - 18);
      else {
        expect(read).toBeLessThanOrEqual(21);
        expect(steps.at(-1)).toMatch(/n0 (stands still|is far behind).*nothing confirms what moved inside/);
      }
    });

    it('of two, far behind and rising, is told of', async () => {
      const head = () => 20 + Math.floor((stage.nowMs - 1_700_001_000_000) / 4_000);
      const chain = family.chainOf(
        [stage.nodeOf(main, { head, final: () => 10 }), stage.nodeOf(main)],
        stage.world,
      );
      await stage.run(stage.watchOf(chain), 60);
      expect(chain.health()[0]?.lastError).toMatch(/tells head \d+, and others have come as far as/);
    });

    it('at rest costs one question to each other endpoint in fifteen seconds', async () => {
      const asked: number[] = [];
      const chain = family.chainOf(
        [stage.nodeOf(main), stage.nodeOf(main), stage.nodeOf(main)],
        stage.world,
        asked,
      );
      const watch = stage.watchOf(chain);
      await stage.run(watch, 20, 0);
      stage.height += 1;
      await stage.run(watch, 1, 0);
      asked.length = 0;
      await stage.run(watch, 14, 0);
      const others = asked.filter((place) => place > 0);
      expect(others.length).toBeLessThanOrEqual(2);
    });
  });

  describe('where a chain begins', () => {
    it('is not where an endpoint that is not synced yet is', async () => {
      stage.height = 300;
      const first = stage.nodeOf(main, { head: () => 0, final: () => 0 });
      const chain = family.chainOf([first, stage.nodeOf(main), stage.nodeOf(main)], stage.world);
      await stage.run(stage.watchOf(chain, null), 20);
      expect((await stage.cursor())?.startNumber).toBe(297);
      await expectCaughtUp();
    });

    it('is not a head that one endpoint made up with blocks for it', async () => {
      let isMadeUp = true;
      const forged = family.grow(420, 7, main.slice(0, 60));
      const first = stage.nodeOf(main, {
        branch: () => (isMadeUp ? forged : main),
        head: () => (isMadeUp ? 410 : stage.height),
      });
      const chain = family.chainOf([first, stage.nodeOf(main), stage.nodeOf(main)], stage.world);
      const watch = stage.watchOf(chain, null);
      await stage.run(watch, 1);
      isMadeUp = false;
      await stage.run(watch, 20);
      expect((await stage.cursor())?.startNumber).toBeLessThanOrEqual(80);
      await expectCaughtUp();
    });

    it('is no block that one endpoint alone has', async () => {
      const first = stage.nodeOf(main, { branch: () => minority });
      const chain = family.chainOf([first, stage.nodeOf(main), stage.nodeOf(main)], stage.world);
      const steps = await stage.run(stage.watchOf(chain, 59), 10);
      const words = family.takesTwo
        ? 'others agree that'
        : 'would be the first one in the books, and no second endpoint has it';
      expect(steps[0]).toContain(words);
      expect(healthy(chain)).toEqual([false, true, true]);
      const [own] = await stage.database.reader.read<{ hash: string }>(
        'SELECT hash FROM blocks WHERE number = 59',
        [],
      );
      expect(own?.hash).toBe(main[59]?.hash);
      expect(await stage.reorgs()).toBe(0);
    });

    it.each<readonly [string, Partial<BranchNode>, string]>([
      ['is not synced', { head: 0, final: 0 }, 'n0 tells head 0; n1 tells head 60'],
      ['is away', { isAway: true }, 'n1 tells head 60'],
    ])('waits where one of two %s, says why, and rests nobody', async (_name, change, words) => {
      let isBad = true;
      const first = stage.nodeOf(main, {
        head: () => (isBad ? (change.head ?? stage.height) : stage.height),
        final: () => (isBad ? (change.final ?? stage.height - 2) : stage.height - 2),
        isAway: () => isBad && change.isAway === true,
      });
      const chain = family.chainOf([first, stage.nodeOf(main)], stage.world);
      const watch = stage.watchOf(chain, null);
      const [told] = await stage.run(watch, 1, 0);
      expect(told).toContain('where to begin has to be told by two endpoints about alike');
      expect(told).toContain(words);
      expect(await stage.cursor()).toBeUndefined();
      isBad = false;
      await stage.run(watch, 20);
      await expectCaughtUp();
    });

    it('is the word of the only one where one is configured', async () => {
      await stage.run(stage.watchOf(family.chainOf([stage.nodeOf(main)], stage.world), null), 20);
      expect((await stage.cursor())?.startNumber).toBe(57);
      await expectCaughtUp();
    });
  });
});
