// When an endpoint counts as too slow, and for how long others do without it.
import { expect, it } from 'vitest';
import { SlowWatch } from './slow-watch.ts';

const bound = 10_000;
const pause = 300_000;
const yes = () => true;
const no = () => false;

it('is spare only while others settled the same without it, and in trouble until it is in time again', () => {
  const watch = new SlowWatch(bound);
  watch.note(0, bound, yes);
  expect([watch.isSpare(0), watch.trouble()]).toEqual([false, null]);
  watch.note(0, bound + 1, yes);
  expect([watch.isSpare(pause - 1), watch.isSpare(pause)]).toEqual([true, false]);
  // What it tells of a block where it was needed after all.
  watch.note(pause - 1, bound, yes);
  expect(watch.trouble()).toBe('takes longer than 10 s for a block');
  watch.note(pause, bound, yes);
  expect(watch.trouble()).toBeNull();
});

it('is needed where nobody settles it without it, and in trouble all the same', () => {
  const watch = new SlowWatch(bound);
  watch.note(0, bound + 1, no);
  expect([watch.isSpare(1), watch.trouble()]).toEqual([false, 'takes longer than 10 s for a block']);
  watch.note(1, bound + 1, yes);
  // One block that needs it takes nothing back of what another one showed.
  watch.note(2, bound + 1, no);
  expect(watch.isSpare(pause)).toBe(true);
});
