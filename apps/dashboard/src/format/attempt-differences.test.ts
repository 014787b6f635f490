// Two attempts of a webhook differ by how they ended, and by a pace that a person would call another one.
import { expect, it } from 'vitest';
import { type Compared, attemptDifferences } from './attempt-differences.ts';

const failed: Compared = {
  duration_ms: 180,
  http_status: 503,
  outcome: 'http-status',
};

it.each<[string, Partial<Compared>, readonly string[]]>([
  ['nothing', {}, []],
  ['a few milliseconds', { duration_ms: 260 }, []],
  ['much quicker', { duration_ms: 1 }, ['duration_ms']],
  ['much slower', { duration_ms: 4_000 }, ['duration_ms']],
  ['another status', { http_status: 500 }, ['http_status']],
  ['delivered', { outcome: 'delivered', http_status: 200 }, ['outcome', 'http_status']],
  [
    'one that has not ended',
    { outcome: 'unfinished', http_status: null, duration_ms: null },
    ['outcome', 'http_status', 'duration_ms'],
  ],
])('%s', (_what, change, expected) => {
  expect(attemptDifferences(failed, { ...failed, ...change })).toEqual(expected);
  expect(attemptDifferences({ ...failed, ...change }, failed)).toEqual(expected);
});

it('is no difference where both took no time to speak of', () => {
  expect(attemptDifferences({ ...failed, duration_ms: 2 }, { ...failed, duration_ms: 40 })).toEqual([]);
});
