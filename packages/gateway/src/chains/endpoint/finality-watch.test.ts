// When finality that stands still is told of an endpoint, and when it is only the chain that takes its time.
import { describe, expect, it } from 'vitest';
import { FinalityWatch } from './finality-watch.ts';

const patienceMs = 60_000;

describe('an endpoint', () => {
  it('that stays behind another one is told after the patience, and no more once it moves', () => {
    const watch = new FinalityWatch(patienceMs);
    watch.note(0, { height: 5, highest: 5, head: 9 });
    watch.note(1_000, { height: 5, highest: 6, head: 10 });
    watch.note(60_999, { height: 5, highest: 25, head: 29 });
    expect(watch.stall()).toBeNull();
    watch.note(61_000, { height: 5, highest: 25, head: 29 });
    expect(watch.stall()).toMatch(/nothing above block 5 final, and another endpoint does/);
    watch.note(62_000, { height: 6, highest: 26, head: 30 });
    expect(watch.stall()).toBeNull();
  });

  it('that only follows a little later is never told', () => {
    const watch = new FinalityWatch(patienceMs);
    for (let second = 0; second < 600; second++) {
      const height = Math.floor(second / 30);
      watch.note(second * 1_000, { height, highest: height + 1, head: second });
    }
    expect(watch.stall()).toBeNull();
  });

  it('with nobody to compare is told later, and only while its head moves', () => {
    const still = new FinalityWatch(patienceMs);
    const frozen = new FinalityWatch(patienceMs);
    for (let minute = 0; minute <= 10; minute++) {
      expect(frozen.stall()).toBeNull();
      still.note(minute * 60_000, { height: 5, highest: 5, head: 9 });
      frozen.note(minute * 60_000, { height: 5, highest: 5, head: 9 + minute });
    }
    expect(still.stall()).toBeNull();
    expect(frozen.stall()).toMatch(/nothing above block 5 final, although its head moves on/);
  });
});
