// Shows how the longest time without an acknowledged order is found.
import { expect, it } from 'vitest';
import { longestPause } from './load.ts';

it.each([
  ['between two orders', [0, 10, 40, 50], 5, 55, 30],
  ['that began before', [0, 3, 40, 50], 30, 55, 37],
  ['that lasts on', [0, 10, 20], 5, 90, 70],
  ['before the first order', [], 5, 9, 0],
  ['not one that was over before', [0, 80, 90, 91], 90, 92, 1],
])('a pause %s', (_what, moments, since, now, pause) => {
  expect(longestPause(moments, since, now)).toBe(pause);
});
