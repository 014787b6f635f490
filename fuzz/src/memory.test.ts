// Growth is computed from the least heap of two parts of a run.
import { expect, it } from 'vitest';
import { growthOf } from './memory.ts';

const MEBIBYTE = 1024 * 1024;
const looks = (count: number, heapAt: (at: number) => number) =>
  Array.from({ length: count }, (_, at) => ({ heap: heapAt(at) * MEBIBYTE, resident: 0 }));

it('does not take what waits for the collector for growth', () => {
  expect(growthOf(looks(400, (at) => 30 + (at % 10) * 5)).hasGrown).toBe(false);
});

it('finds a leak below the saw teeth', () => {
  expect(growthOf(looks(400, (at) => 30 + (at % 10) * 5 + at * 0.04)).hasGrown).toBe(true);
});

it('finds what leaks outside the heap', () => {
  const outside = looks(400, () => 30).map((look, at) => ({
    ...look,
    resident: (150 + at * 0.3) * MEBIBYTE,
  }));
  expect(growthOf(outside).hasGrown).toBe(true);
});

it('says that a short run cannot tell', () => {
  expect(growthOf(looks(20, () => 30)).hasGrown).toBeNull();
});
