// Final by count and confirmations are the same fact seen from two sides.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { confirmationsOf, finalByCount, wireChainId } from './chain.ts';

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

  it.each([
    [1, 100, 100],
    [2, 100, 99],
    [12, 100, 89],
    [12, 12, 1],
    [12, 11, 0],
    [12, 10, -1],
  ])('with %s of them head %s makes block %s the last that is final', (confirmations, head, expected) => {
    expect(finalByCount({ confirmations }, head)).toBe(expected);
    expect(confirmationsOf({ confirmations }, head, Math.max(0, expected))).toBe(
      expected < 0 ? confirmations - 1 : confirmations,
    );
    expect(confirmationsOf({ confirmations }, head, expected + 1)).toBe(confirmations - 1);
  });
});

it.each([
  ['ETH', 56, 56],
  ['TRON', 728_126_428, 0],
] as const)('of the series %s chain %s is %s on the wire', (series, chainId, expected) => {
  expect(wireChainId({ series, chainId })).toBe(expected);
});
