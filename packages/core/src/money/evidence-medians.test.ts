// A quote that is worked out again from its evidence has the same price.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { evidenceMedians } from './evidence-medians.ts';
import { type MarketLimits, marketQuote } from './market-quote.ts';
import { dividePrices, type Evidence, multiplyPrices, ONE, type Reading } from './reading.ts';

const NOW = 1_795_166_000;
const both = { minSources: 2, maxSpreadPpm: 20_000n, maxAgeS: 120, ageOf: (at: number) => NOW - at };
const limits: MarketLimits = { coin: both, fiat: both, singleSource: new Set() };

/** One price of each pair and source, near its round price, far from it, old or from the future; or none. */
const pairs = [
  ['ETH', 'USD', 4_000n * ONE],
  ['ETH', 'USDT', 4_001n * ONE],
  ['USDT', 'USD', ONE],
  ['USD', 'EUR', (9n * ONE) / 10n],
] as const;
const sources = ['a', 'b', 'c', 'd'] as const;
const report = fc.constantFrom('near', 'near', 'near', 'far', 'old', 'ahead', 'silent');
const anyReading = fc
  .tuple(fc.constantFrom(...pairs), fc.constantFrom(...sources), report, fc.bigInt({ min: -5n, max: 5n }))
  .filter(([, , how]) => how !== 'silent')
  .map(
    ([[base, quote, price], source, how, thousandths]): Reading => ({
      source,
      base,
      quote,
      priceUnits: how === 'far' ? price / 3n : price + (price * thousandths) / 1_000n + thousandths,
      at: how === 'old' ? NOW - 500 : how === 'ahead' ? NOW + 500 : NOW - 5,
    }),
  );
const anyMarket = fc.uniqueArray(anyReading, {
  minLength: 8,
  maxLength: 16,
  selector: ({ source, base, quote }) => `${source} ${base} ${quote}`,
});

describe('the medians of a quote', () => {
  it('give its price again, in dollars, in a fiat name and in USDT', () => {
    let quotes = 0;
    fc.assert(
      fc.property(anyMarket, fc.constantFrom('USD', 'EUR', 'USDT'), (market, fiat) => {
        const readingsOf = (base: string, quote: string) =>
          market.filter((reading) => reading.base === base && reading.quote === quote);
        const quote = marketQuote('ETH', fiat, readingsOf, limits, NOW);
        if (!quote.ok) return;
        quotes += 1;
        const medians = evidenceMedians(quote.value.evidence);
        const of = (base: string) => medians.find((median) => median.base === base)?.priceUnits ?? 0n;
        const again = {
          USD: () => of('ETH'),
          EUR: () => multiplyPrices(of('ETH'), of('USD'), 'down'),
          USDT: () => dividePrices(of('ETH'), of('USDT'), 'down'),
        }[fiat];
        expect(again?.()).toBe(quote.value.rate.priceUnits);
        expect(medians.flatMap(({ readings }) => readings)).toHaveLength(quote.value.evidence.length);
      }),
      { numRuns: 500 },
    );
    expect(quotes).toBeGreaterThan(50);
  });

  it('name what is priced in what, and leave out what no source reported in time', () => {
    const item = (base: string, quote: string, verdict: Evidence['verdict']): Evidence => ({
      source: 'a',
      base,
      quote,
      priceUnits: ONE,
      at: NOW,
      verdict,
    });
    const evidence = [item('ETH', 'USDT', 'used'), item('USDT', 'USD', 'far'), item('USD', 'EUR', 'used')];
    const names = evidenceMedians(evidence).map(({ base, quote }) => `${base}/${quote}`);
    expect(names).toEqual(['ETH/USD', 'USDT/USD', 'USD/EUR']);
    expect(evidenceMedians([item('ETH', 'USD', 'old')])).toEqual([]);
    expect(evidenceMedians([])).toEqual([]);
    const withoutTether = [item('ETH', 'USDT', 'used'), item('USDT', 'USD', 'old')];
    expect(evidenceMedians(withoutTether)).toEqual([]);
  });
});
