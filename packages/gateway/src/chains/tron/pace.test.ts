// A provider is asked as often as it allows: a burst after a pause, and then one question after the other.
import { describe, expect, it } from 'vitest';
import { manualWorld } from '../testing/manual-world.ts';
import { createPace } from './pace.ts';

describe('a pace', () => {
  it('lets a burst through at once, then so many in a second, in order', async () => {
    const world = manualWorld();
    const pace = createPace(world, { perSecond: 10, burst: 3 });
    const through: number[] = [];
    const asked = Array.from({ length: 6 }, async (_, index) => {
      await pace();
      through.push(index);
    });
    const settled = async (): Promise<number> => {
      for (let turn = 0; turn < 10; turn++) await Promise.resolve();
      return through.length;
    };
    expect(await settled()).toBe(3);
    world.advance(100);
    expect(await settled()).toBe(4);
    world.advance(200);
    await Promise.all(asked);
    expect(through).toEqual([0, 1, 2, 3, 4, 5]);
    world.advance(10_000);
    await Promise.all([pace(), pace(), pace()]);
  });
});
