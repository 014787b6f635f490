// A day is clean where something was compared and nothing differed.
import { expect, it } from 'vitest';
import { dayOf, verdictOf } from './day.ts';

it('calls a day clean, differing or not looked at', () => {
  expect([dayOf(0), dayOf(86_399_999), dayOf(86_400_000)]).toEqual([0, 0, 1]);
  expect(verdictOf({ comparisons: 3, mostDiffering: 0 })).toBe('clean');
  expect(verdictOf({ comparisons: 3, mostDiffering: 1 })).toBe('differs');
  expect(verdictOf({ comparisons: 0, mostDiffering: 0 })).toBe('unlooked');
});
