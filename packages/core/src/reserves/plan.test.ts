// A round over all used addresses ends in its time, whatever else is asked; what moved never waits for it.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type CheckKind,
  coverageOf,
  type CurrencyNeeds,
  isEnded,
  nextCheck,
  passParts,
  type PartTimes,
} from './plan.ts';

const HOUR = 3_600_000;
const ROUND = 24 * HOUR;

function needs(change: Partial<CurrencyNeeds> = {}): CurrencyNeeds {
  const round = { startedMs: 0, position: 0, end: 1_000 };
  return { currencyId: 1000, round, hasTouched: false, hasDiffering: false, notBeforeMs: 0, ...change };
}

describe('nextCheck', () => {
  it.each<[string, Partial<CurrencyNeeds>, CheckKind | null, number, CheckKind | null]>([
    ['begins a round at once', {}, null, 0, 'rotation'],
    [
      'waits where a round is ahead',
      { round: { startedMs: 0, position: 500, end: 1_000 } },
      null,
      10 * HOUR,
      null,
    ],
    [
      'goes on where it is due',
      { round: { startedMs: 0, position: 500, end: 1_000 } },
      null,
      11 * HOUR,
      'rotation',
    ],
    [
      'goes on where a clock was set back to before the round',
      { round: { startedMs: 30 * HOUR, position: 500, end: 1_000 } },
      null,
      29 * HOUR,
      'rotation',
    ],
    [
      'begins the next round where a clock was set back to before the last',
      { round: { startedMs: 30 * HOUR, position: 5, end: 5 } },
      null,
      29 * HOUR,
      'rotation',
    ],
    ['rests after a round', { round: { startedMs: 0, position: 5, end: 5 } }, null, 21 * HOUR, null],
    [
      'begins the next round before the last is too old',
      { round: { startedMs: 0, position: 5, end: 5 } },
      null,
      22 * HOUR,
      'rotation',
    ],
    ['asks for what moved first', { hasTouched: true }, null, 0, 'touched'],
    ['takes turns', { hasTouched: true }, 'touched', 0, 'rotation'],
    ['looks again at what differed', { hasDiffering: true }, 'rotation', 0, 'differing'],
    ['leaves a currency that failed', { hasTouched: true, notBeforeMs: 1 }, null, 0, null],
    [
      'comes back to a currency when its pause ends',
      { hasTouched: true, notBeforeMs: 1 },
      null,
      1,
      'touched',
    ],
    [
      'asks for what moved before what differed',
      { hasTouched: true, hasDiffering: true },
      'rotation',
      0,
      'touched',
    ],
    ['takes turns with what differed too', { hasDiffering: true }, 'differing', 0, 'rotation'],
    [
      'asks for what moved again where no round is due',
      { hasTouched: true, round: { startedMs: 0, position: 5, end: 5 } },
      'touched',
      21 * HOUR,
      'touched',
    ],
    [
      'begins a round of nothing at its time, not before',
      { round: { startedMs: 0, position: 0, end: 0 } },
      null,
      0.9 * ROUND - 1,
      null,
    ],
  ])('%s', (_, change, last, nowMs, kind) => {
    expect(nextCheck([needs(change)], last, nowMs, ROUND)?.kind ?? null).toBe(kind);
  });

  it('takes the round that is furthest behind', () => {
    const ahead = needs({ currencyId: 1, round: { startedMs: 0, position: 100, end: 1_000 } });
    const behind = needs({ currencyId: 2, round: { startedMs: 0, position: 90, end: 1_000 } });
    expect(nextCheck([ahead, behind], null, 3 * HOUR, ROUND)).toEqual({ kind: 'rotation', currencyId: 2 });
  });

  it('takes the first of two rounds that are as far, and the next one where the first is ahead', () => {
    const at = (position: number, currencyId: number) =>
      needs({ currencyId, round: { startedMs: 0, position, end: 1_000 } });
    const chosen = (...all: readonly CurrencyNeeds[]) => nextCheck(all, null, 3 * HOUR, ROUND)?.currencyId;
    expect(chosen(at(90, 1), at(90, 2))).toBe(1);
    expect(chosen(at(900, 1), at(90, 2))).toBe(2);
    expect(chosen(at(900, 1), at(901, 2))).toBeUndefined();
    expect(chosen(at(900, 1), { ...at(90, 2), notBeforeMs: 4 * HOUR })).toBeUndefined();
  });

  it('ends every round in time while there is a call for each page, and spends one in two on what moved', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 30 }), (currencies, pages) => {
        const rounds = Array.from({ length: currencies }, () => ({ startedMs: 0, position: 0, end: pages }));
        const gapMs = (0.9 * ROUND) / (currencies * pages) / 2;
        let last: CheckKind | null = null;
        let nowMs = 0;
        for (; rounds.some(({ position }) => position < pages) && nowMs <= ROUND; nowMs += gapMs) {
          const all = rounds.map((round, currencyId) => needs({ currencyId, round, hasTouched: true }));
          const next = nextCheck(all, last, nowMs, ROUND);
          last = next?.kind ?? null;
          const round = rounds[next?.currencyId ?? 0];
          if (next?.kind === 'rotation' && round !== undefined) round.position++;
        }
        expect(nowMs).toBeLessThan(ROUND);
      }),
    );
  });
});

it.each([
  [4, 5, false],
  [5, 5, true],
  [6, 5, true],
  [0, 0, true],
])('a round at %i of %i has ended: %s', (position, end, hasEnded) => {
  expect(isEnded({ startedMs: 0, position, end })).toBe(hasEnded);
});

describe('coverageOf', () => {
  it('knows the share of a round and its oldest check, whatever the pages', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 500 }), fc.integer({ min: 1, max: 100 }), (end, page) => {
        let parts: PartTimes = [];
        let position = 0;
        let nowMs = 1;
        do {
          const to = Math.min(end, position + page);
          parts = passParts(parts, { startedMs: 1, position, end }, to, ++nowMs);
          position = to;
          const { share } = coverageOf(parts, nowMs, ROUND);
          expect(share).toBeLessThanOrEqual(end === 0 ? 1 : position / end);
        } while (position < end);
        expect(coverageOf(parts, nowMs, ROUND).share).toBe(1);
        expect(coverageOf(parts, nowMs, ROUND).oldestMs).toBe(1);
        expect(coverageOf(parts, nowMs + ROUND + HOUR, ROUND).share).toBe(0);
      }),
    );
  });

  it('is as old as the comparison of its addresses, not as the round they were compared in', () => {
    const end = 96;
    const stepMs = (0.9 * ROUND) / end;
    let parts: PartTimes = [];
    for (let count = 0; count < 3; count++) {
      const startedMs = count * 0.9 * ROUND;
      for (let position = 0; position < end; position += 3) {
        const nowMs = startedMs + position * stepMs;
        parts = passParts(parts, { startedMs, position, end }, position + 3, nowMs);
        if (count > 0) expect(coverageOf(parts, nowMs, ROUND).share, `${count} ${position}`).toBe(1);
      }
    }
  });

  it.each([
    [ROUND - 1, 1],
    [ROUND, 1],
    [ROUND + 1, 0],
  ])('of parts that were compared %i ms ago is %i', (ageMs, share) => {
    const parts = passParts([], { startedMs: 1, position: 0, end: 48 }, 48, 1);
    expect(coverageOf(parts, 1 + ageMs, ROUND).share).toBe(share);
  });

  it('begins a part when the round comes to it, and a round of nothing at once', () => {
    const round = { startedMs: 1, position: 0, end: 48 };
    const first = passParts([], round, 1, 5);
    expect(first).toEqual([...Array(24).fill(null), 1]);
    const second = passParts(first, { ...round, position: 1 }, 5, 7);
    expect(second).toEqual([1, 7, ...Array(22).fill(null), 7]);
    const third = passParts(second, { ...round, position: 5 }, 6, 9);
    expect(third).toEqual([1, 7, 7, ...Array(21).fill(null), 9]);
    // Rows of before the last place was kept: as old as the round.
    expect(passParts(third.slice(0, 24), { ...round, position: 6 }, 8, 11)[3]).toBe(1);
    // The next round begins again.
    expect(passParts(third, { startedMs: 20, position: 0, end: 48 }, 4, 21).slice(0, 4)).toEqual([
      20,
      21,
      7,
      null,
    ]);
    expect(passParts([], { startedMs: 1, position: 0, end: 0 }, 0, 1)).toEqual(Array(25).fill(1));
  });

  it('has no oldest check while one part was never compared', () => {
    const parts = passParts([], { startedMs: 1, position: 0, end: 48 }, 40, 9);
    expect(coverageOf(parts, 9, ROUND)).toEqual({ share: 20 / 24, oldestMs: null });
    expect(coverageOf([], 9, ROUND)).toEqual({ share: 0, oldestMs: null });
  });
});
