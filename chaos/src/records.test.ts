// Shows that a run's records add up, also what a fault meets after its cycle.
import { expect, it } from 'vitest';
import { Records } from './records.ts';

it('adds up faults of one name, with what they meet later on', () => {
  const records = new Records();
  const [first, second, third] = [records.begin(), records.begin(), records.begin()];
  first.hit(2);
  first.end('cut', 1_000, 300);
  second.end('cut', 3_000, 100);
  second.hit(1);
  third.end('kill', 500, 0);
  expect(Object.fromEntries(records.faults)).toEqual({
    cut: { times: 2, totalMs: 4_000, longestMs: 3_000, longestPauseMs: 300, hits: 3 },
    kill: { times: 1, totalMs: 500, longestMs: 500, longestPauseMs: 0, hits: null },
  });
});

it('keeps a fault that met nothing apart from one that counts nothing', () => {
  const records = new Records();
  const fault = records.begin();
  fault.hit(0);
  fault.end('cut', 1, 0);
  expect(records.faults.get('cut')?.hits).toBe(0);
});

it('keeps times and counts by name', () => {
  const records = new Records();
  records.took('take-over', 4_000);
  records.took('take-over', 6_000);
  records.note('seen');
  records.note('seen', 4);
  expect(records.timings.get('take-over')).toEqual({ times: 2, totalMs: 10_000, longestMs: 6_000 });
  expect(records.notes.get('seen')).toBe(5);
});
