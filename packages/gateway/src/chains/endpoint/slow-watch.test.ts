// When an endpoint counts as too slow, and for how long others do without it.
import { expect, it } from 'vitest';
import { SlowWatch } from './slow-watch.ts';

const bound = 10_000;
const pause = 300_000;
const yes = () => true;
const no = () => false;

it('is spare only while others settled the same without it, and in trouble until it is in time again', () => {
  const watch = new SlowWatch(bound, 'a block');
  watch.note(0, bound, yes);
  expect([watch.isSpare(0), watch.trouble(0)]).toEqual([false, null]);
  watch.note(0, bound + 1, yes);
  expect([watch.isSpare(pause - 1), watch.isSpare(pause)]).toEqual([true, false]);
  // What it tells of a block where it was needed after all.
  watch.note(pause - 1, bound, yes);
  expect(watch.trouble(pause - 1)).toBe('takes longer than 10 s for a block');
  watch.note(pause, bound, yes);
  expect(watch.trouble(pause)).toBeNull();
});

it('is needed where nobody settles it without it, and in trouble all the same', () => {
  const watch = new SlowWatch(bound, 'a block');
  watch.note(0, bound + 1, no);
  expect([watch.isSpare(1), watch.trouble(1)]).toEqual([false, 'takes longer than 10 s for a block']);
  watch.note(1, bound + 1, yes);
  // One block that needs it takes nothing back of what another one showed.
  watch.note(2, bound + 1, no);
  expect(watch.isSpare(pause)).toBe(true);
});

it('is in trouble no longer where nobody has asked it since it could have been tried again', () => {
  const watch = new SlowWatch(bound, 'a block');
  watch.note(0, bound + 1, no);
  expect(watch.trouble(2 * pause - 1)).toBe('takes longer than 10 s for a block');
  expect(watch.trouble(2 * pause)).toBeNull();
});

it('is neither spare nor in trouble for a day because a clock was put back by one', () => {
  const watch = new SlowWatch(bound, 'a block');
  const now = 1_700_000_000_000;
  watch.note(now, bound + 1, yes);
  const back = now - 86_400_000;
  expect([watch.isSpare(back), watch.trouble(back)]).toEqual([false, null]);
});
