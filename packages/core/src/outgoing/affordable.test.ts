// How many transactions the coin of a sender pays for together.
import { expect, it } from 'vitest';
import { amountOf } from '../money/amount.ts';
import { countAffordable } from './affordable.ts';

const sun = (units: bigint) => amountOf(3000, units);
const cost = (most: bigint, coin: bigint, moved: bigint | null = null) => ({
  most: sun(most),
  coin: sun(coin),
  moved: moved === null ? null : sun(moved),
});
const each = (count: number, most: bigint, coin: bigint) =>
  Array.from({ length: count }, () => cost(most, coin));

it.each([
  ['as many as the coin pays for', each(5, 17n, 51n), 0, 3],
  ['one less where one unit is missing', each(5, 17n, 50n), 0, 2],
  ['none beyond those that are in no block yet', each(5, 17n, 51n), 3, 0],
  ['what those leave', each(5, 17n, 51n), 1, 2],
  // Energy may pay for it, and nothing else is under way that would take that energy.
  ['the first by itself, however little coin there is', each(5, 17n, 1n), 0, 1],
  ['none where another is under way and there is too little', each(5, 17n, 1n), 1, 0],
  ['by the dearest of them for each that is under way', [cost(1n, 20n), cost(9n, 20n)], 2, 1],
  ['what moves coin with its amount', [cost(1n, 10n, 5n), cost(1n, 10n, 3n), cost(1n, 10n, 1n)], 0, 2],
  ['all of what shares nothing', [null, null, null], 7, 3],
  ['what shares nothing between others', [cost(5n, 10n), null, cost(5n, 10n), null, cost(5n, 10n)], 0, 4],
  ['nothing of nothing', [], 0, 0],
] as const)('is %s', (_, costs, pending, expected) => {
  expect(countAffordable(costs, pending)).toBe(expected);
});
