// Standing still is telling nothing new, whatever moves; being far behind is told only where it lasts.
import { describe, expect, it } from 'vitest';
import { HeadWatch } from './head-watch.ts';

const patience = 15_000;
const blockTimeMs = 1_000;

/** Has told these heads, one in each second. */
function watchOf(...heads: readonly number[]) {
  const watch = new HeadWatch(patience, blockTimeMs);
  for (const [second, head] of heads.entries()) watch.note(second * 1_000, head);
  return watch;
}

describe('the heads of one endpoint', () => {
  it.each([
    ['stay', () => 20],
    ['move between two old heights', (second: number) => 20 + (second % 2)],
    ['go back and rise again and again', (second: number) => 20 + (second % 9)],
    ['go back', (second: number) => 20 - second],
  ])('that %s stand still', (_name, head) => {
    const watch = watchOf(...Array.from({ length: 40 }, (_, second) => head(second)));
    expect(watch.standsStill(39_000)).toBe(true);
  });

  it('that rise do not, and stand still once they stop', () => {
    const watch = watchOf(...Array.from({ length: 40 }, (_, second) => second));
    expect([watch.standsStill(39_000), watch.standsStill(39_000 + patience)]).toEqual([false, true]);
  });

  it('are judged anew some time after one was made up far above them', () => {
    const watch = new HeadWatch(patience, blockTimeMs);
    watch.note(0, 1_000_000_000);
    for (let second = 1; second < 150; second++) watch.note(second * 1_000, second);
    expect(watch.standsStill(149_000)).toBe(true);
    for (let second = 150; second < 153; second++) watch.note(second * 1_000, second);
    expect(watch.standsStill(152_000)).toBe(false);
  });

  it('are asked for again by their age, also where the clock was put back', () => {
    const watch = new HeadWatch(patience, blockTimeMs);
    expect([watch.ageMs(0), watch.told]).toEqual([Infinity, -1]);
    watch.note(50_000, 7);
    expect([watch.ageMs(51_000), watch.ageMs(20_000), watch.told]).toEqual([1_000, 30_000, 7]);
    expect(watch.standsStill(20_000)).toBe(true);
  });
});

describe('being far behind', () => {
  it('is more than blocks of fifteen seconds and twenty, and told once it lasts', () => {
    const watch = watchOf(100);
    expect([watch.isFarBelow(135), watch.isFarBelow(136), watch.farBlocks]).toEqual([false, true, 35]);
    watch.compare(0, 136);
    expect(watch.trouble(patience - 1)).toBeNull();
    watch.compare(patience, 150);
    expect(watch.trouble(patience)).toBe('tells head 100, and others have come as far as 150');
    watch.compare(patience, 135);
    expect(watch.trouble(2 * patience)).toBeNull();
  });
});
