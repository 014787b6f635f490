// Final by count and confirmations tell the same story from two sides.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { confirmationsOf, finalByCount } from './chain.ts';

const height = fc.integer({ min: 0, max: 1_000_000 });

describe('confirmations', () => {
  it('are complete exactly for the blocks that are final by count', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 300 }), height, height, (confirmations, head, block) => {
        const chain = { confirmations };
        const isComplete = confirmationsOf(chain, head, block) === confirmations;
        expect(isComplete).toBe(block <= finalByCount(chain, head));
      }),
    );
  });

  it.each([
    [100, 100, 1],
    [100, 99, 2],
    [100, 89, 12],
    [100, 50, 12],
    [100, 101, 0],
    [100, 200, 0],
  ])('under head %s of block %s are %s of 12', (head, block, expected) => {
    expect(confirmationsOf({ confirmations: 12 }, head, block)).toBe(expected);
  });
});
