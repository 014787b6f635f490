// How long a provider asks to be left alone, in every form that a header can have.
import { expect, it } from 'vitest';
import { retryAfterMs } from './retry-after.ts';

const now = Date.parse('2026-01-02T03:04:05Z');

it.each<readonly [string | null, number | null]>([
  [null, null],
  ['0', 0],
  ['7', 7_000],
  [' 7 ', 7_000],
  ['Fri, 02 Jan 2026 03:04:15 GMT', 10_000],
  ['Fri, 02 Jan 2026 03:04:00 GMT', 0],
  ['-7', null],
  ['7.5', null],
  ['soon', null],
  ['99999999999999999999', null],
  ['', null],
])('Retry-After %j asks for %j ms', (header, ms) => {
  expect(retryAfterMs(header, now)).toBe(ms);
});
