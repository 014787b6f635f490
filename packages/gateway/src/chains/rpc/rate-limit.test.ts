// A provider is asked as often as it allows: those of a second after a pause, and then one request after the other.
import { describe, expect, it } from 'vitest';
import { manualWorld } from '@ducat/testkit/chains/manual-world';
import { createRateLimit } from './rate-limit.ts';

describe('a rate limit', () => {
  it('lets a burst through at once, then so many in a second, in order', async () => {
    const world = manualWorld();
    const limit = createRateLimit(world, 3);
    const through: number[] = [];
    const asked = Array.from({ length: 6 }, async (_, index) => {
      await limit();
      through.push(index);
    });
    const settled = async (): Promise<number> => {
      for (let turn = 0; turn < 10; turn++) await Promise.resolve();
      return through.length;
    };
    expect(await settled()).toBe(3);
    world.advance(334);
    expect(await settled()).toBe(4);
    world.advance(666);
    await Promise.all(asked);
    expect(through).toEqual([0, 1, 2, 3, 4, 5]);
    world.advance(10_000);
    await Promise.all([limit(), limit(), limit()]);
  });

  it('does not stop where the clock is set back', async () => {
    const world = manualWorld();
    const limit = createRateLimit(world, 1);
    await limit();
    world.advance(-3_600_000);
    const next = limit();
    world.advance(2_000);
    await next;
  });
});
