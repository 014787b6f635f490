// Numbers of added chains and tokens: behind everything that ever had a meaning, and never one that is given.
import { expect, it } from 'vitest';
import { blockOf, freeBlock, freeTokenNumber } from './currency-numbers.ts';

it('gives a chain the thousand behind every number that was ever given', () => {
  expect(freeBlock([])).toBe(5_000);
  expect(freeBlock([1_001, 3_999])).toBe(5_000);
  expect(freeBlock([5_000])).toBe(6_000);
  expect(freeBlock([7_999, 5_000])).toBe(8_000);
  expect(blockOf(7_999)).toBe(7_000);
});

it('gives a token the first free number of the last hundred, and none where all are given', () => {
  expect(freeTokenNumber(1_000, [1_000, 1_001])).toBe(1_900);
  expect(freeTokenNumber(1_000, [1_900, 1_902, 2_901])).toBe(1_901);
  const hundred = Array.from({ length: 100 }, (_, n) => 1_900 + n);
  expect(freeTokenNumber(1_000, hundred.slice(0, 99))).toBe(1_999);
  expect(freeTokenNumber(1_000, hundred)).toBeNull();
});
