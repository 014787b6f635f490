// Crosses over the dollar: exact, rounded the stated way, and with a stablecoin worth what the market pays.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatDecimal } from './decimal.ts';
import { type MarketLimits, marketQuote } from './market-quote.ts';
import { parsePrice } from './price-text.ts';
import { type Evidence, ONE, RATE_DECIMALS, type Reading } from './reading.ts';
import { weekdayAge } from './weekday-age.ts';

const NOW = 1_795_166_000;
const both = { minSources: 2, maxSpreadPpm: 20_000n };
const limits: MarketLimits = {
  singleSource: new Set(),
  coin: { ...both, maxAgeS: 120, ageOf: (at, now) => now - at },
  fiat: { ...both, maxAgeS: 48 * 3_600, ageOf: weekdayAge },
};

type Line = readonly [source: string, base: string, quote: string, price: string, at?: number];

const market: readonly Line[] = [
  ['kraken', 'ETH', 'USD', '4000', NOW - 3],
  ['okx', 'ETH', 'USD', '4002'],
  ['binance', 'ETH', 'USDT', '4001.5'],
  ['kraken', 'USDT', 'USD', '0.9999', NOW - 9],
  ['okx', 'USDT', 'USD', '1.0001'],
  ['ecb', 'USD', 'EUR', '0.9', NOW - 80_000],
  ['er_api', 'USD', 'EUR', '0.9002', NOW - 30_000],
];

function price(lines: readonly Line[], symbol: string, fiat: string, given: MarketLimits = limits) {
  const readings = lines.map(
    ([source, base, quote, text, at = NOW]): Reading => ({
      source,
      base,
      quote,
      priceUnits: parsePrice(text, 'down')!,
      at,
    }),
  );
  const readingsOf = (base: string, quote: string) =>
    readings.filter((reading) => reading.base === base && reading.quote === quote);
  return marketQuote(symbol, fiat, readingsOf, given, NOW);
}

function text(lines: readonly Line[], symbol: string, fiat: string): string {
  const quote = price(lines, symbol, fiat);
  return quote.ok ? formatDecimal(quote.value.rate.priceUnits, RATE_DECIMALS) : quote.refusal.message;
}

function short(evidence: readonly Evidence[]): readonly string[] {
  return evidence.map(({ source, base, quote, verdict }) => `${source} ${base}/${quote} ${verdict}`);
}

describe('marketQuote', () => {
  it.each([
    ['ETH', 'USD', '4001.5'],
    ['ETH', 'USDT', '4001.5'],
    ['ETH', 'EUR', '3601.75015'],
    ['USDT', 'USD', '1'],
    ['USDT', 'USDT', '1'],
    ['USDT', 'EUR', '0.9001'],
  ])('prices %s in %s', (symbol, fiat, expected) => {
    expect(text(market, symbol, fiat)).toBe(expected);
  });

  it('keeps as evidence all it rests on, and is as old as its oldest moving price', () => {
    const quote = price(market, 'ETH', 'EUR');
    expect(quote.ok && quote.value).toMatchObject({ at: NOW - 9, source: 'market median' });
    expect(quote.ok && short(quote.value.evidence)).toEqual([
      'binance ETH/USDT used',
      'kraken ETH/USD used',
      'okx ETH/USD used',
      'kraken USDT/USD used',
      'okx USDT/USD used',
      'ecb USD/EUR used',
      'er_api USD/EUR used',
    ]);
  });

  it.each([
    // What the coin and USDT are worth are both as old as the oldest price that they rest on.
    ['USDT', 30, 10, 30],
    ['USDT', 10, 30, 30],
    ['USDT', 10, 10, 10],
    ['USD', 30, 10, 30],
    ['USD', 10, 30, 30],
  ])('in %s, reported in USDT %s s ago and USDT itself %s s ago, is %s s old', (fiat, coin, tether, age) => {
    const quote = price(
      [
        ['binance', 'ETH', 'USDT', '4000', NOW - coin],
        ['okx', 'ETH', 'USDT', '4000', NOW - coin],
        ['kraken', 'USDT', 'USD', '1', NOW - tether],
        ['okx', 'USDT', 'USD', '1', NOW - tether],
      ],
      'ETH',
      fiat,
    );
    expect(quote.ok && NOW - quote.value.at).toBe(age);
    // The price of USDT is asked twice and stands in the evidence once.
    expect(quote.ok && short(quote.value.evidence).toSorted()).toEqual([
      'binance ETH/USDT used',
      'kraken USDT/USD used',
      'okx ETH/USDT used',
      'okx USDT/USD used',
    ]);
  });

  it('is one USDT for USDT whatever sources say, now, and without evidence', () => {
    const quote = price([['okx', 'USDT', 'USDT', '3']], 'USDT', 'USDT');
    expect(quote).toEqual({
      ok: true,
      value: { rate: { fiat: 'USDT', priceUnits: ONE }, at: NOW, source: 'market median', evidence: [] },
    });
    expect(text([...market, ['binance', 'USDT', 'USDT', '3']], 'USDT', 'USD')).toBe('1');
  });

  it('refuses a price that is too small for its last digit', () => {
    const lines = market.filter(([, base]) => base !== 'ETH');
    const small = ['kraken', 'okx'].map((source): Line => [source, 'ETH', 'USD', '1e-18']);
    expect(text([...lines, ...small], 'ETH', 'USD')).toBe('0.000000000000000001');
    expect(price([...lines, ...small], 'ETH', 'EUR')).toEqual({
      ok: false,
      refusal: { code: 'rate-unavailable', message: 'the price in EUR is too small to be exact' },
    });
  });

  it('rounds a price reported in USDT down when it becomes one in dollars', () => {
    const lines: readonly Line[] = [
      ['binance', 'ETH', 'USDT', '1.000000000000000001'],
      ['okx', 'ETH', 'USDT', '1.000000000000000001'],
      ['kraken', 'USDT', 'USD', '0.999999999999999999'],
      ['okx', 'USDT', 'USD', '0.999999999999999999'],
    ];
    expect(text(lines, 'ETH', 'USD')).toBe('0.999999999999999999');
  });

  it('does not age by USDT where no price reported in it was used', () => {
    const quote = price(
      [
        ['kraken', 'ETH', 'USD', '4000', NOW - 5],
        ['okx', 'ETH', 'USD', '4000', NOW - 5],
        ['binance', 'ETH', 'USDT', '9000'],
        ['kraken', 'USDT', 'USD', '1', NOW - 60],
        ['okx', 'USDT', 'USD', '1', NOW - 60],
      ],
      'ETH',
      'USD',
    );
    expect(quote.ok && NOW - quote.value.at).toBe(5);
  });

  it('sees a depegged USDT in its own price, in prices reported in it, and in sums stated in it', () => {
    const depegged: readonly Line[] = [
      ['kraken', 'USDT', 'USD', '0.97'],
      ['okx', 'USDT', 'USD', '0.97'],
      ['coinbase', 'USDT', 'USD', '0.972'],
      ['binance', 'ETH', 'USDT', '4123.71'],
      ['kraken', 'ETH', 'USD', '4000'],
      ['okx', 'ETH', 'USD', '4001'],
    ];
    expect(text(depegged, 'USDT', 'USD')).toBe('0.97');
    expect(text(depegged, 'USDT', 'USDT')).toBe('1');
    // Binance's 4123.71 USDT are 3999.9987 USD: no outlier.
    const ether = price(depegged, 'ETH', 'USD');
    expect(ether.ok && short(ether.value.evidence)[0]).toBe('binance ETH/USDT used');
    expect(text(depegged, 'ETH', 'USD')).toBe('4000');
    expect(text(depegged, 'ETH', 'USDT')).toBe('4123.71134020618556701');
  });

  it('does without prices in USDT while no source has a price of USDT', () => {
    const lines = market.filter(([, base]) => base !== 'USDT');
    expect(text(lines, 'ETH', 'USD')).toBe('4001');
    expect(text(lines, 'ETH', 'USDT')).toBe('no source has reported the price of USDT in USD');
  });

  it('takes a source that reports both prices at its price in dollars', () => {
    expect(text([...market, ['okx', 'ETH', 'USDT', '1']], 'ETH', 'USD')).toBe('4001.5');
  });

  it.each([
    ['WKC', 'USD', 'no source has reported the price of WKC in USD'],
    ['ETH', 'VND', 'no source has reported the price of USD in VND'],
    ['EUR', 'EUR', 'no source has reported the price of EUR in USD'],
    ['WKC', 'VND', 'no source has reported the price of WKC in USD'],
  ])('refuses %s in %s in words', (symbol, fiat, reason) => {
    expect(text(market, symbol, fiat)).toBe(reason);
  });

  it('refuses a fiat rate older than two working days, and takes one from before the weekend', () => {
    const monday = 1_795_132_800 + 3 * 86_400;
    const at = (ecb: number): Line[] => [
      ['ecb', 'USD', 'EUR', '0.9', ecb],
      ['er_api', 'USD', 'EUR', '0.9', ecb],
      ['kraken', 'ETH', 'USD', '1'],
      ['okx', 'ETH', 'USD', '1'],
    ];
    const readingsAt = (lines: Line[]) => (base: string, quote: string) =>
      lines
        .filter((line) => line[1] === base && line[2] === quote)
        .map(
          ([source, , , , time = monday]): Reading => ({ source, base, quote, priceUnits: ONE, at: time }),
        );
    const friday = marketQuote('ETH', 'EUR', readingsAt(at(1_795_132_800)), limits, monday);
    const thursday = marketQuote('ETH', 'EUR', readingsAt(at(1_795_132_800 - 86_401)), limits, monday);
    expect([friday.ok, thursday.ok]).toEqual([true, false]);
    expect(!thursday.ok && thursday.refusal.message).toContain('ecb is 172801 s old');
  });

  it('rounds the cross down to the last unit and no further', () => {
    const units = fc.bigInt({ min: 10n ** 9n, max: 10n ** 30n });
    fc.assert(
      fc.property(units, units, (usd, perUsd) => {
        const readingsOf = (base: string, quote: string) =>
          ['a', 'b'].flatMap((source): Reading[] => {
            if (base === 'ETH' && quote === 'USD') return [{ source, base, quote, priceUnits: usd, at: NOW }];
            return base === 'USD' ? [{ source, base, quote, priceUnits: perUsd, at: NOW }] : [];
          });
        const quote = marketQuote('ETH', 'EUR', readingsOf, limits, NOW);
        const exact = usd * perUsd;
        if (!quote.ok) return expect(exact < ONE).toBe(true);
        const { priceUnits } = quote.value.rate;
        expect(priceUnits * ONE <= exact && (priceUnits + 1n) * ONE > exact).toBe(true);
      }),
    );
  });

  it('takes one source where the operator allows it for that coin, and for no other', () => {
    const lines: readonly Line[] = [
      ...market,
      ['coingecko', 'BTCB', 'USD', '100000'],
      ['okx', 'XYZ', 'USDT', '1'],
    ];
    const given = { ...limits, singleSource: new Set(['BTCB', 'XYZ']) };
    expect(price(lines, 'BTCB', 'USD').ok).toBe(false);
    expect(price(lines, 'BTCB', 'USD', given)).toMatchObject({
      value: { rate: { priceUnits: 100_000n * ONE } },
    });
    const poor = lines.filter(([source, base]) => base !== 'USDT' || source === 'okx');
    // What USDT is worth still takes two.
    expect(price(poor, 'XYZ', 'USD', given).ok).toBe(false);
    expect(price(poor, 'ETH', 'USDT', given).ok).toBe(false);
  });
});
