// What is kept of blocks that an endpoint has not told all of: a bounded number of movements, the newest first.
import { expect, it } from 'vitest';
import { manualWorld } from '@ducat/testkit/chains/manual-world';
import { testCurrency } from '@ducat/testkit/chains/test-currencies';
import { TraceNotes } from './trace-notes.ts';

const movement = {
  currency: testCurrency(1000, null),
  position: 'call:0',
  from: '0xa',
  to: '0xb',
  units: 1n,
};
const toldOf = (movements: number) => new Map([[0, Array.from({ length: movements }, () => movement)]]);

it('keeps a bounded number of movements of begun blocks, and always those of the newest one', () => {
  const notes = new TraceNotes(manualWorld(), 12_000);
  for (const hash of ['a', 'b', 'c']) notes.begin(hash, toldOf(50_000));
  expect(['a', 'b', 'c'].map((hash) => notes.begun(hash) !== null)).toEqual([false, true, true]);
  notes.begin('b', toldOf(10));
  notes.begin('d', toldOf(60_000));
  expect(['b', 'c', 'd'].map((hash) => notes.begun(hash) !== null)).toEqual([true, false, true]);
  notes.begin('e', toldOf(200_000));
  expect(['b', 'd', 'e'].map((hash) => notes.begun(hash) !== null)).toEqual([false, false, true]);
});
