// A quote comes back out of its row as it went in, to the last digit.
import type { Quote } from '@ducat/core/money/rate';
import { describe, expect, it } from 'vitest';
import { quoteFrom, quoteText } from './quotes.ts';

const quote: Quote = {
  rate: { fiat: 'EUR', priceUnits: 3_199_759_920_000_000_000_001n },
  at: 1_795_176_000,
  source: 'market median',
  evidence: [
    {
      source: 'okx',
      base: 'ETH',
      quote: 'USD',
      priceUnits: 4_000_123_456_789_012_345_678n,
      at: 1_795_175_990,
      verdict: 'used',
    },
  ],
};

describe('a quote in its row', () => {
  it('keeps every digit', () => {
    expect(quoteFrom(JSON.parse(quoteText(quote)))).toEqual(quote);
  });

  it('reads a row from before there was evidence', () => {
    const { evidence: _none, ...old } = JSON.parse(quoteText(quote));
    expect(quoteFrom(old)).toEqual({ ...quote, evidence: [] });
  });

  it.each<readonly [string, (json: Record<string, unknown>) => unknown]>([
    ['no object', () => 'gone'],
    ['a list', () => []],
    ['an empty object', () => ({})],
    ['a price that is no number', (json) => ({ ...json, priceUnits: '12.5' })],
    ['a price as a JSON number', (json) => ({ ...json, priceUnits: 12 })],
    ['a time that is a text', (json) => ({ ...json, at: 'noon' })],
    ['evidence that is no list', (json) => ({ ...json, evidence: 'okx' })],
    ['a reading without a price', (json) => ({ ...json, evidence: [{ source: 'okx' }] })],
    [
      'a reading of an unknown verdict',
      (json) => ({ ...json, evidence: [{ ...quote.evidence[0], priceUnits: '1', verdict: 'x' }] }),
    ],
  ])('is none with %s', (_what, damage) => {
    expect(quoteFrom(damage(JSON.parse(quoteText(quote))))).toBeNull();
  });

  it('does not take more evidence than there are sources', () => {
    const evidence = Array.from({ length: 51 }, () => quote.evidence[0]!);
    expect(() => quoteText({ ...quote, evidence })).toThrow('more readings');
  });
});
