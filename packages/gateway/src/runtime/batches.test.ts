// What waits while a run is under way runs together, and each item gets its own result.
import { describe, expect, it } from 'vitest';
import { createBatches } from './batches.ts';
import { nextTurn } from './world.ts';

/** Doubles numbers; each run ends when the test lets it. */
function stage(limits = { items: 4, runs: 1 }) {
  const runs: (readonly number[])[] = [];
  const ends: (() => void)[] = [];
  const double = createBatches(
    async (items: readonly number[]) => {
      runs.push(items);
      await new Promise<void>((end) => ends.push(end));
      return items.map((item) => 2 * item);
    },
    { ...limits, mayBeOfOne: () => true, gather: (start) => start() },
  );
  const endNext = async () => {
    ends.shift()?.();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { runs, double, endNext };
}

describe('batches', () => {
  it('run the first item at once, and what comes meanwhile together, up to the limit', async () => {
    const { runs, double, endNext } = stage();
    const results = Promise.all([1, 2, 3, 4, 5, 6].map(double));
    expect(runs).toEqual([[1]]);
    await endNext();
    expect(runs).toEqual([[1], [2, 3, 4, 5]]);
    await endNext();
    await endNext();
    expect(runs).toEqual([[1], [2, 3, 4, 5], [6]]);
    expect(await results).toEqual([2, 4, 6, 8, 10, 12]);
  });

  it('run as many side by side as they may', () => {
    const { runs, double } = stage({ items: 4, runs: 2 });
    for (const item of [1, 2, 3]) void double(item);
    expect(runs).toEqual([[1], [2]]);
  });

  it('wait for what arrives with their first item, where they can know when that is', async () => {
    const runs: (readonly number[])[] = [];
    const same = createBatches(
      (items: readonly number[]) => {
        runs.push(items);
        return Promise.resolve(items);
      },
      { items: 4, runs: 2, mayBeOfOne: () => true, gather: nextTurn },
    );
    expect(await Promise.all([1, 2, 3, 4, 5].map(same))).toEqual([1, 2, 3, 4, 5]);
    expect(await same(6)).toBe(6);
    expect(runs).toEqual([[1, 2, 3, 4], [5], [6]]);
  });

  it('try each item by itself where one may be why, so that one bad item fails alone and holds up nothing', async () => {
    const runs: (readonly number[])[] = [];
    let endThree = (): void => undefined;
    const check = createBatches(
      async (items: readonly number[]) => {
        runs.push(items);
        await Promise.resolve();
        if (!items.includes(3)) return items;
        // Alone it waits for a lock.
        if (items.length === 1) await new Promise<void>((end) => (endThree = end));
        throw new Error('three');
      },
      { items: 9, runs: 1, mayBeOfOne: () => true, gather: (start) => start() },
    );
    const [one, two, three, four] = [1, 2, 3, 4].map(check);
    expect(await Promise.all([one, two, four])).toEqual([1, 2, 4]);
    expect(runs).toEqual([[1], [2, 3, 4], [2], [3], [4]]);
    await expect(check(5)).resolves.toBe(5);
    endThree();
    await expect(three).rejects.toThrow('three');
  });

  it('repeat nothing that may have been done', async () => {
    let runs = 0;
    const away = createBatches(
      (items: readonly number[]) => {
        runs += 1;
        return items.length > 1 ? Promise.reject(new Error('away')) : Promise.resolve(items);
      },
      { items: 9, runs: 1, mayBeOfOne: () => false, gather: (start) => start() },
    );
    const settled = await Promise.allSettled([1, 2, 3].map(away));
    expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected']);
    expect(runs).toBe(2);
  });
});
