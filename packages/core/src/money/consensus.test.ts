// No single source moves a price, order does not matter, and where there is no safe price the reason says so.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { agree, type ConsensusLimits, medianOf, type Vote } from './consensus.ts';
import { ONE } from './reading.ts';

const NOW = 1_795_166_000;
const limits: ConsensusLimits = {
  minSources: 2,
  maxAgeS: 120,
  maxSpreadPpm: 20_000n,
  ageOf: (at, now) => now - at,
};

function vote(source: string, priceUnits: bigint, at: number = NOW): Vote {
  return { reading: { source, base: 'ETH', quote: 'USD', priceUnits, at }, priceUnits };
}

function votes(...prices: readonly (number | bigint)[]): readonly Vote[] {
  return prices.map((price, place) => vote(`s${place}`, BigInt(price) * ONE));
}

function reasonOf(given: readonly Vote[], changed: Partial<ConsensusLimits> = {}): string {
  const agreed = agree('ETH in USD', given, { ...limits, ...changed }, NOW);
  if (!agreed.ok) expect(agreed.refusal.code).toBe('rate-unavailable');
  return agreed.ok ? 'agreed' : agreed.refusal.message;
}

const price = fc.bigInt({ min: 1n, max: 10n ** 30n });
const anything = fc.oneof(price, fc.constantFrom(1n, 10n ** 60n));

describe('the median', () => {
  it.each([
    [[5n], 5n],
    [[1n, 2n], 1n],
    [[3n, 1n, 2n], 2n],
    [[10n, 1n, 2n, 5n], 3n],
  ])('of %s is %s', (values, expected) => {
    expect(medianOf(values)).toBe(expected);
  });

  it('of nothing is none', () => {
    expect(() => medianOf([])).toThrow('at least one value');
  });
});

describe('agree', () => {
  it('never lets one of three or more sources move the price outside of what the others say', () => {
    const spread = { ...limits, minSources: 1, maxSpreadPpm: 10n ** 12n };
    const any = fc.tuple(fc.array(price, { minLength: 2, maxLength: 8 }), anything, fc.nat(8));
    fc.assert(
      fc.property(any, fc.constantFrom(limits, spread), ([honest, lie, place], given) => {
        const reported = [...honest.slice(0, place), lie, ...honest.slice(place)];
        const agreed = agree(
          'it',
          reported.map((units, i) => vote(`s${i}`, units)),
          given,
          NOW,
        );
        if (!agreed.ok) return;
        const sorted = honest.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0));
        expect(agreed.value.priceUnits >= sorted[0]!).toBe(true);
        expect(agreed.value.priceUnits <= sorted.at(-1)!).toBe(true);
      }),
    );
  });

  it('lets half of an even number, acting together, move the price by half the spread and no more', () => {
    const half = fc.integer({ min: 1, max: 4 });
    const honest = fc.bigInt({ min: 10n ** 6n, max: 10n ** 24n });
    const moved = fc.bigInt({ min: -40_000n, max: 40_000n });
    fc.assert(
      fc.property(half, honest, moved, fc.boolean(), (count, truth, ppm, spreadOut) => {
        const lie = truth + (truth * ppm) / 1_000_000n;
        const reported = Array.from({ length: count }, (_, i) => [
          truth,
          lie + (spreadOut ? BigInt(i) : 0n),
        ]).flat();
        const agreed = agree(
          'it',
          reported.map((units, i) => vote(`s${i}`, units)),
          limits,
          NOW,
        );
        if (!agreed.ok) return;
        const price_ = agreed.value.priceUnits;
        const distance = price_ > truth ? price_ - truth : truth - price_;
        // Four units of room for the roundings.
        expect((distance - 4n) * 2_000_000n <= price_ * limits.maxSpreadPpm).toBe(true);
      }),
      { numRuns: 1_000 },
    );
    // hits mark: half-of-the-sources-cannot-pull
    expect(reasonOf(votes(10_000, 10_000, 10_300, 10_300))).toContain('disagree');
    expect(reasonOf(votes(10_000, 10_000, 10_190, 10_300))).toBe('agreed');
  });

  it('answers with an absurd source as without it, where the honest ones are of one mind', () => {
    fc.assert(
      fc.property(
        fc.array(fc.bigInt({ min: 10_000n, max: 10_050n }), { minLength: 2, maxLength: 8 }),
        anything,
        (honest, lie) => {
          const agreed = agree(
            'it',
            [...honest, lie].map((units, i) => vote(`s${i}`, units)),
            limits,
            NOW,
          );
          expect(agreed.ok).toBe(true);
        },
      ),
    );
  });

  it('answers the same in whatever order the sources report', () => {
    const reported = fc.array(fc.tuple(price, fc.integer({ min: NOW - 200, max: NOW + 100 })), {
      maxLength: 7,
    });
    fc.assert(
      fc.property(
        reported.chain((all) => {
          const given = all.map(([units, at], i) => vote(`s${i}`, units, at));
          return fc.tuple(fc.constant(given), fc.shuffledSubarray(given, { minLength: given.length }));
        }),
        ([given, shuffled]) => {
          expect(agree('it', shuffled, limits, NOW)).toEqual(agree('it', given, limits, NOW));
        },
      ),
    );
  });

  it('lets two sources differ by the spread and no more', () => {
    expect(reasonOf(votes(10_000, 10_199))).toBe('agreed');
    expect(reasonOf(votes(10_000, 10_300))).toContain('disagree');
  });

  it('takes the middle of an even number, rounded down to the unit', () => {
    const agreed = agree('it', [vote('a', 1_000_001n), vote('b', 1_000_002n)], limits, NOW);
    expect(agreed).toMatchObject({ ok: true, value: { priceUnits: 1_000_001n } });
  });

  it('keeps every reading as evidence, with what became of it', () => {
    const given = [
      vote('d', 9_999n * ONE),
      vote('b', 4_001n * ONE, NOW - 30),
      vote('e', 1n, NOW - 121),
      vote('a', 4_000n * ONE, NOW - 120),
      vote('c', 4_002n * ONE, NOW + 60),
      vote('f', 4_000n * ONE, NOW + 61),
    ];
    const agreed = agree('ETH in USD', given, limits, NOW);
    expect(agreed.ok && agreed.value.priceUnits).toBe((8_003n * ONE) / 2n);
    expect(agreed.ok && agreed.value.at).toBe(NOW - 120);
    expect(agreed.ok && agreed.value.evidence.map(({ source, verdict }) => [source, verdict])).toEqual([
      ['a', 'used'],
      ['b', 'used'],
      ['c', 'used'],
      ['d', 'far'],
      ['e', 'old'],
      ['f', 'ahead'],
    ]);
  });

  it.each([
    [[4_000, 4_080], 'agreed'],
    [[4_000, 4_200], 's0 4000, s1 4200'],
    [[4_000, 4_001, 4_500], 'agreed'],
    [[4_000, 4_001, 4_500, 4_501], 'disagree'],
    [[4_000, 4_500, 5_000], 'by more than 2 %'],
    [[1_000, 2_000, 4_000, 4_001, 9_000], 'disagree'],
  ])('%j: %s', (prices, expected) => {
    expect(reasonOf(votes(...prices))).toContain(expected);
  });

  // The inner two lie together in each, so that it is the count alone that decides.
  it.each<readonly [string, readonly number[], number, string]>([
    ['half of four near', [1_000, 4_000, 4_001, 9_000], 2, 'disagree'],
    ['three of four near', [4_000, 4_001, 4_002, 9_000], 2, 'agreed'],
    ['two of five near', [1_000, 2_000, 4_001, 4_002, 9_000], 2, 'disagree'],
    ['three of five near', [1_000, 4_000, 4_001, 4_002, 9_000], 2, 'agreed'],
    ['one fewer near than needed', [4_000, 4_001, 9_000], 3, 'disagree'],
    ['as many near as needed', [4_000, 4_001, 9_000], 2, 'agreed'],
    ['as many young as needed', [4_000, 4_001, 4_002], 3, 'agreed'],
    ['one fewer young than needed', [4_000, 4_001, 4_002], 4, '4 are needed'],
  ])('%s: %j of which %s are needed', (_, prices, minSources, expected) => {
    expect(reasonOf(votes(...prices), { minSources })).toContain(expected);
  });

  it.each<readonly [string, readonly bigint[], number, string]>([
    ['two apart by exactly the spread', [99n * ONE, 101n * ONE], 2, 'agreed'],
    ['two apart by a unit more', [99n * ONE, 101n * ONE + 1n], 2, 'disagree'],
    ['all within the distance', [98n * ONE, 100n * ONE, 102n * ONE], 3, 'agreed'],
    ['the lower one a unit beyond it', [98n * ONE - 1n, 100n * ONE, 102n * ONE], 3, 'disagree'],
    ['the upper one a unit beyond it', [98n * ONE, 100n * ONE, 102n * ONE + 1n], 3, 'disagree'],
  ])('%s', (_, prices, minSources, expected) => {
    const given = prices.map((units, place) => vote(`s${place}`, units));
    expect(reasonOf(given, { minSources })).toContain(expected);
  });

  it('says in words who is missing', () => {
    expect(reasonOf([])).toBe('no source has reported the price of ETH in USD');
    expect(reasonOf(votes(4_000))).toBe('1 of 1 sources has a usable price of ETH in USD, 2 are needed');
    expect(reasonOf(votes(1, 1), { minSources: 3 })).toBe(
      '2 of 2 sources have a usable price of ETH in USD, 3 are needed',
    );
    const four = [
      vote('kraken', ONE, NOW - 340),
      vote('okx', ONE),
      vote('binance', ONE, NOW - 500),
      vote('coinbase', ONE, NOW + 999),
    ];
    expect(reasonOf(four)).toBe(
      '1 of 4 sources has a usable price of ETH in USD, 2 are needed (binance is 500 s old, ' +
        'coinbase is ahead of the clock, kraken is 340 s old; at most 120 s)',
    );
  });

  it('has no opinion of its own, even where one source is enough, or none', () => {
    expect(reasonOf([], { minSources: 0 })).toBe('no source has reported the price of ETH in USD');
    expect(reasonOf([], { minSources: 1 })).toBe('no source has reported the price of ETH in USD');
    expect(reasonOf(votes(4_000), { minSources: 1 })).toBe('agreed');
  });

  it('does not count a source twice', () => {
    expect(() => agree('it', [vote('a', 1n), vote('a', 2n)], limits, NOW)).toThrow('votes twice');
  });
});
