// Whatever arrives, the changes found add up to what is there, in the blocks where it arrived, for few probes.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { amountOf, unitsOf } from '../money/amount.ts';
import { findChanges, type Probe } from './bisect.ts';
import type { Surplus } from './surplus.ts';

const COIN = 1000;
/** What came: the block, the address, the units. */
type Arrival = readonly [number, string, number];

function surplusAt(arrivals: readonly Arrival[], number: number, addresses: readonly string[]): Surplus {
  return new Map(
    addresses.map((address) => {
      const came = arrivals.filter(([at, to]) => to === address && at <= number);
      return [address, amountOf(COIN, BigInt(came.reduce((sum, [, , units]) => sum + units, 0)))];
    }),
  );
}

function search(arrivals: readonly Arrival[], low: number, high: number, mostProbes = 1_000) {
  const addresses = [...new Set(arrivals.map(([, to]) => to))];
  const before = surplusAt(arrivals, low, addresses);
  const after = surplusAt(arrivals, high, addresses);
  const probes: Probe[] = [];
  const walk = findChanges({ low, high, before, after }, mostProbes);
  let next = walk.next();
  while (next.done !== true) {
    probes.push(next.value);
    next = walk.next(surplusAt(arrivals, next.value.number, next.value.addresses));
  }
  const found = next.value.map(({ number, address, amount }) => [number, address, Number(unitsOf(amount))]);
  return { found, probes };
}

describe('findChanges', () => {
  it.each<readonly [string, readonly Arrival[], readonly Arrival[], number]>([
    ['nothing', [], [], 0],
    ['one in a stretch of 35', [[118, 'a', 5]], [[118, 'a', 5]], 6],
    ['one in the first block', [[101, 'a', 5]], [[101, 'a', 5]], 6],
    ['one in the last block', [[135, 'a', 5]], [[135, 'a', 5]], 6],
    ['what was there before is no change', [[100, 'a', 5]], [], 0],
    [
      'several at once for the price of one',
      [
        [118, 'a', 5],
        [118, 'b', 6],
      ],
      [
        [118, 'a', 5],
        [118, 'b', 6],
      ],
      6,
    ],
    [
      'one after the other',
      [
        [110, 'a', 5],
        [130, 'a', 6],
      ],
      [
        [110, 'a', 5],
        [130, 'a', 6],
      ],
      11,
    ],
  ])('%s', (_, arrivals, expected, most) => {
    const { found, probes } = search(arrivals, 100, 135);
    expect(found).toEqual(expected);
    expect(probes.length).toBeLessThanOrEqual(most);
  });

  it('counts a change for a later block where no more may be asked, and loses none', () => {
    expect(
      search(
        [
          [110, 'a', 5],
          [111, 'a', 6],
        ],
        100,
        132,
        1,
      ).found,
    ).toEqual([[116, 'a', 11]]);
    expect(search([[110, 'a', 5]], 100, 132, 0).found).toEqual([[132, 'a', 5]]);
  });

  it('takes an address that was not there before for one that held nothing more, and asks of what changed alone', () => {
    const amount = amountOf(COIN, 5n);
    const after = new Map([
      ['a', amount],
      ['b', amount],
    ]);
    const walk = findChanges({ low: 1, high: 4, before: new Map([['b', amount]]), after }, 9);
    expect(walk.next()).toEqual({ done: false, value: { number: 2, addresses: ['a'] } });
    expect(walk.next(new Map())).toMatchObject({ value: { number: 3, addresses: ['a'] } });
    expect(walk.next(new Map([['a', amount]]))).toEqual({
      done: true,
      value: [{ number: 3, address: 'a', amount }],
    });
  });

  it('finds each arrival in its block, whatever arrives', () => {
    const arrival = fc.tuple(
      fc.integer({ min: 1, max: 200 }),
      fc.constantFrom('a', 'b', 'c'),
      fc.integer({ min: 1, max: 9 }),
    );
    fc.assert(
      fc.property(fc.array(arrival, { maxLength: 12 }), (arrivals) => {
        const { found, probes } = search(arrivals, 0, 200);
        const perBlock = new Map<string, number>();
        for (const [at, to, units] of arrivals)
          perBlock.set(`${at} ${to}`, (perBlock.get(`${at} ${to}`) ?? 0) + units);
        expect(new Map(found.map(([at, to, units]) => [`${at} ${to}`, units]))).toEqual(perBlock);
        expect(probes.length).toBeLessThanOrEqual(8 * arrivals.length);
      }),
    );
  });
});
