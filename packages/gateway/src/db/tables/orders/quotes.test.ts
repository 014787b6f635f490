// A quote comes back out of its row as it went in, to the last digit.
import { describe, expect, it } from 'vitest';
import { type KeptQuote, quoteFrom, quoteText } from './quotes.ts';

const quote: KeptQuote = {
  rate: { fiat: 'EUR', priceUnits: 3_199_759_920_000_000_000_001n },
  at: 1_795_176_000,
  source: 'market median',
};

describe('a quote in its row', () => {
  it('keeps every digit', () => {
    expect(quoteFrom(JSON.parse(quoteText(quote)))).toEqual(quote);
  });

  it.each<readonly [string, (json: Record<string, unknown>) => unknown]>([
    ['no object', () => 'gone'],
    ['a list', () => []],
    ['an empty object', () => ({})],
    ['a price that is no number', (json) => ({ ...json, priceUnits: '12.5' })],
    ['a price as a JSON number', (json) => ({ ...json, priceUnits: 12 })],
    ['a time that is a text', (json) => ({ ...json, at: 'noon' })],
  ])('is none with %s', (_what, damage) => {
    expect(quoteFrom(damage(JSON.parse(quoteText(quote))))).toBeNull();
  });
});
