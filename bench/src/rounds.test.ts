// Shows that the figures of a bench are what they say: medians of ratios of the same round, with the spread.
import { describe, expect, it } from 'vitest';
import { byProcessor } from './drive.ts';
import { compared, inTurns, median, quantile, ratioFigure, whole } from './rounds.ts';

describe('median and quantile', () => {
  it.each([
    [[3], 3],
    [[1, 2], 1.5],
    [[9, 1, 5], 5],
    [[4, 1, 3, 2], 2.5],
  ])('the median of %j is %d', (values, expected) => {
    expect(median(values)).toBe(expected);
  });

  it('a quantile is the smallest value that so many do not exceed', () => {
    const values = Array.from({ length: 100 }, (_, place) => 100 - place);
    expect([0.5, 0.99, 1].map((share) => quantile(values, share))).toEqual([50, 99, 100]);
    expect(quantile([7], 0.5)).toBe(7);
  });
});

describe('inTurns', () => {
  it('runs all of them once without counting, then in turns', async () => {
    const ran: string[] = [];
    const run = (name: string, rate: number) => () => {
      ran.push(name);
      return Promise.resolve({ count: ran.length <= 2 ? 1_000 : rate, seconds: 2 });
    };
    const rates = await inTurns(2, { floor: run('floor', 20), ours: run('ours', 10) });
    expect(ran).toEqual(['floor', 'ours', 'floor', 'ours', 'floor', 'ours']);
    const [floor, ours] = [
      { count: 20, seconds: 2 },
      { count: 10, seconds: 2 },
    ];
    expect(rates).toEqual({ floor: [floor, floor], ours: [ours, ours] });
  });
});

describe('a ratio', () => {
  const each = (...counts: readonly number[]) => counts.map((count) => ({ count, seconds: 1 }));

  it('is the median of the ratios of each round, and not the ratio of the medians', () => {
    const found = compared(each(1, 8, 9), each(10, 10, 90));
    expect(found).toEqual({ floor: 10, ours: 8, ratio: 0.1, lowest: 0.1, highest: 0.8 });
  });

  it("can be of the processor's time", () => {
    const done = { count: 100, seconds: 4, cpuSeconds: 2 };
    expect(compared([byProcessor(done)], each(100))).toMatchObject({ ours: 50, ratio: 0.5 });
  });

  it('meets its goal from the goal on', () => {
    const half = compared(each(1_000), each(2_000));
    expect(ratioFigure('x', half, 0.5)).toEqual({
      what: 'x',
      seen: '1,000/s by 2,000/s',
      value: '0.50 (0.50-0.50)',
      goal: '>= 0.5',
      met: true,
    });
    expect(ratioFigure('x', half, 0.51).met).toBe(false);
    expect(whole(1234.5)).toBe('1,235');
  });
});
