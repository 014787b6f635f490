// A rate on the terminal: in 80 columns, with the readings that counted and those that did not; made-up rates are marked.
import type { Quote } from '@ducat/core/money/rate';
import type { Evidence } from '@ducat/core/money/reading';
import { FIXED_SOURCE } from '@ducat/gateway/rates/fixed';
import { describe, expect, it } from 'vitest';
import { rateJson, rateText } from './show-rate.ts';
import { paletteFor } from '../terminal.ts';

const plain = paletteFor({ isTTY: false });
const AT = 1_795_176_000;
const wei = 10n ** 18n;

const reading = (
  source: string,
  pair: readonly [string, string],
  priceUnits: bigint,
  verdict: Evidence['verdict'] = 'used',
): Evidence => ({
  source,
  base: pair[0],
  quote: pair[1],
  priceUnits,
  at: verdict === 'old' ? AT - 3_600 : AT,
  verdict,
});

const quote: Quote = {
  rate: { fiat: 'EUR', priceUnits: 3_199_759_920_000_000_000_000n },
  at: AT,
  source: 'market median',
  evidence: [
    reading('binance', ['ETH', 'USDT'], 4_000_500_000_000_000_000_000n),
    reading('coinbase', ['ETH', 'USD'], 4_000_500_000_000_000_000_000n),
    reading('coingecko', ['ETH', 'USD'], 7_500_000_000_000_000_000n, 'far'),
    reading('okx', ['ETH', 'USD'], 4_000_123_456_780_000_000_000n, 'old'),
    reading('kraken\u001b[2J', ['USDT', 'USD'], 999_800_000_000_000_000n),
    reading('coinbase', ['USDT', 'USD'], 999_800_000_000_000_000n, 'ahead'),
    reading('currency_api', ['USD', 'EUR'], 800_000_000_000_000_000n),
  ],
};

describe('the rate of an order', () => {
  it('is shown with the reading and time of every source, whether each counted, and the medians', () => {
    const text = rateText(quote, 'ETH', plain);
    const lines = text.split('\n');
    expect(lines[0]).toBe('Rate 1 ETH = 3199.75992 EUR');
    expect(lines[1]).toMatch(/^ {2}market median; the oldest price in it is of 20 Nov 2026, /);
    expect(lines.filter((line) => /^ {2}\w+ in \w+:/.test(line))).toEqual([
      '  ETH in USD: 3999.6999',
      '  USDT in USD: 0.9998',
      '  USD in EUR: 0.8',
    ]);
    expect(text).toMatch(/^ {4}binance +4000\.5 USDT +20 Nov 2026, [\d:]+ +used$/m);
    expect(text).toMatch(/^ {4}coingecko +7\.5 USD +20 Nov 2026, [\d:]+ +outvoted, far off$/m);
    expect(text).toMatch(/^ {4}okx +4000\.12345678 USD +20 Nov 2026, [\d:]+ +left out, too old$/m);
    expect(text).toMatch(/^ {4}coinbase +0\.9998 USD +20 Nov 2026, [\d:]+ +left out, ahead$/m);
    expect(text).not.toContain('\u001b');
    for (const line of lines) expect(line.length, line).toBeLessThanOrEqual(80);
  });

  it('fits 80 columns with the longest prices there are, and says where digits are left out', () => {
    const dong = 26_123_456_789_012_345_678_901n;
    const long: Quote = {
      ...quote,
      rate: { fiat: 'VND', priceUnits: 104_506_891_234_567_890_123_456_789n },
      evidence: [
        ...quote.evidence,
        reading('er_api', ['USD', 'VND'], dong, 'far'),
        reading('currency_api', ['USD', 'VND'], dong + 1n, 'old'),
        reading('floatrates', ['USD', 'VND'], dong + 2n),
        reading('ecb', ['USD', 'VND'], dong + 3n, 'ahead'),
        reading('coingecko', ['PEPE', 'USD'], 1_234_567_890n, 'far'),
      ].filter(({ quote: name }) => name !== 'EUR'),
    };
    const text = rateText(long, 'ETH', plain);
    for (const line of text.split('\n')) expect(line.length, line).toBeLessThanOrEqual(80);
    expect(text).toMatch(/^ {4}er_api +26123\.45678901… VND +20 Nov 2026, [\d:]+ +outvoted, far off$/m);
    expect(text).toMatch(/^ {4}coingecko +0\.00000000123456789 USD /m);
    expect(rateJson(long)).toHaveProperty('evidence.6.price', '26123.456789012345678901');
  });

  it('is exact for scripts', () => {
    expect(rateJson(quote)).toMatchObject({
      fiat_name: 'EUR',
      price: '3199.75992',
      time: AT,
      demo: false,
      medians: [
        { base: 'ETH', quote: 'USD', price: '3999.6999' },
        { base: 'USDT', quote: 'USD', price: '0.9998' },
        { base: 'USD', quote: 'EUR', price: '0.8' },
      ],
    });
    expect(rateJson(quote)).toHaveProperty('evidence.2', {
      source: 'coingecko',
      base: 'ETH',
      quote: 'USD',
      price: '7.5',
      time: AT,
      verdict: 'far',
    });
  });

  it('that was made up for the demo says so', () => {
    const demo: Quote = { ...quote, source: FIXED_SOURCE, evidence: [] };
    expect(rateText(demo, 'ETH', plain)).toContain('Made up for the demo');
    expect(rateJson(demo)).toMatchObject({ demo: true, evidence: [] });
  });

  it('of USDT in USDT needs no source', () => {
    const one: Quote = { ...quote, rate: { fiat: 'USDT', priceUnits: wei }, evidence: [] };
    expect(rateText(one, 'USDT', plain)).toBe('Rate 1 USDT = 1 USDT\n  by its name');
  });
});
