// Weekends do not make a reference rate older; everything else does.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { weekdayAge } from './weekday-age.ts';

const HOUR = 3_600;
const DAY = 24 * HOUR;
/** Friday, 20 November 2026, midnight in UTC. */
const FRIDAY = 1_795_132_800;

/** Whether a second lies on a weekend, by counting days from Thursday, 1 January 1970. */
function isWeekend(time: number): boolean {
  const day = (Math.floor(time / DAY) + 4) % 7;
  return day === 6 || day === 0;
}

describe('weekdayAge', () => {
  it.each([
    ['within one day', FRIDAY, FRIDAY + 5 * HOUR, 5 * HOUR],
    ['from Friday to Saturday noon', FRIDAY, FRIDAY + 36 * HOUR, 24 * HOUR],
    ['within a weekend', FRIDAY + 25 * HOUR, FRIDAY + 70 * HOUR, 0],
    ['from Friday to Monday afternoon', FRIDAY, FRIDAY + 3 * DAY + 15 * HOUR, 39 * HOUR],
    ['over two weeks', FRIDAY, FRIDAY + 14 * DAY, 10 * DAY],
    ['of the same second', FRIDAY, FRIDAY, 0],
    ['of the future', FRIDAY + HOUR, FRIDAY, -HOUR],
  ])('%s', (_, at, now, age) => {
    expect(weekdayAge(at, now)).toBe(age);
  });

  it('counts the hours that are not on a weekend, one by one', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 500_000 }), fc.integer({ min: 0, max: 300 }), (start, hours) => {
        const at = start * HOUR;
        const counted = Array.from({ length: hours }, (_, hour) => at + hour * HOUR).filter(
          (time) => !isWeekend(time),
        );
        expect(weekdayAge(at, at + hours * HOUR)).toBe(counted.length * HOUR);
      }),
    );
  });
});
