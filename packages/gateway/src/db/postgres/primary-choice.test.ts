// What moves the pool to another host, and what does not.
import { describe, expect, it } from 'vitest';
import { type Opened, PrimaryChoice, type Standing } from './primary-choice.ts';

const writes = (timeline: number): Standing => ({ refuses: false, timeline });
const refuses: Standing = { refuses: true, timeline: 0 };
const openTo = (place: number, timeline: number): Opened => ({ place, standing: writes(timeline) });

/** Works on host 0, on timeline 2. */
function working(): PrimaryChoice {
  const choice = new PrimaryChoice(3);
  choice.accept(0, writes(2));
  return choice;
}

describe('another host', () => {
  it('on an older timeline is never taken, however often the host in use fails', () => {
    const choice = working();
    choice.turnFrom(0, false);
    expect(() => choice.accept(1, writes(1))).toThrow('old primary');
  });

  it('on a newer timeline is taken at once, and what is open to others is past', () => {
    const choice = working();
    choice.turnFrom(0, false);
    choice.accept(1, writes(3));
    expect([choice.isPast(openTo(0, 2)), choice.isPast(openTo(1, 3)), choice.place]).toEqual([
      true,
      false,
      1,
    ]);
  });

  it('on the same timeline is taken once the host in use has no connection and takes none, or refuses writes', () => {
    const choice = working();
    choice.turnFrom(0, true);
    expect(() => choice.accept(1, writes(2))).toThrow('second primary');
    expect(choice.isPast(openTo(0, 2))).toBe(false);
    choice.turnFrom(1, false);
    expect(() => choice.accept(2, writes(2))).toThrow('second primary');
    choice.turnFrom(0, false);
    choice.accept(2, writes(2));
    expect(choice.isPast(openTo(0, 2))).toBe(true);

    const refusing = working();
    expect(() => refusing.accept(0, refuses)).toThrow('takes no writes');
    refusing.turnFrom(0, true);
    refusing.accept(1, writes(2));
    expect(refusing.isPast(openTo(0, 2))).toBe(true);
  });

  it('on the same timeline is not taken for a failure that is over', () => {
    const choice = working();
    choice.turnFrom(0, false);
    choice.accept(0, writes(2));
    choice.turnFrom(0, true);
    expect(() => choice.accept(1, writes(2))).toThrow('second primary');
  });

  it('that was left while it was probed is refused, and the one in use welcome', () => {
    const choice = working();
    choice.turnFrom(0, false);
    choice.turnFrom(1, false);
    expect(() => choice.accept(1, writes(2))).toThrow('left while it was probed');
    choice.accept(0, writes(2));
    expect(choice.place).toBe(0);
  });

  it('that was left while it was probed is taken all the same on a newer timeline, which is proof', () => {
    const choice = working();
    expect(choice.othersFirst()).toEqual([1, 2, 0]);
    choice.accept(1, writes(3));
    expect([choice.place, choice.isPast(openTo(0, 2))]).toEqual([1, true]);
    expect(choice.othersFirst()).toEqual([2, 0, 1]);
  });
});

it('what hosts say before any is worked on begins with the newest that takes writes', () => {
  const choice = new PrimaryChoice(4);
  choice.beginWith([{ place: 0, standing: refuses }]);
  expect([choice.isMade, choice.place]).toEqual([false, 0]);
  choice.beginWith([
    { place: 0, standing: { refuses: true, timeline: 9 } },
    openTo(1, 2),
    openTo(2, 3),
    openTo(3, 3),
  ]);
  expect([choice.isMade, choice.place]).toEqual([true, 2]);
  expect(() => choice.accept(1, writes(2))).toThrow('old primary');
  choice.accept(2, writes(3));
});

it('a host whose name moved to a promoted server makes its older connections past', () => {
  const choice = working();
  choice.accept(0, writes(3));
  expect([choice.isPast(openTo(0, 2)), choice.isPast(openTo(0, 3))]).toEqual([true, false]);
});
