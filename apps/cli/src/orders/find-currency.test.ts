// Currencies as people name them.
import { describe, expect, it } from 'vitest';
import { findCurrency } from './find-currency.ts';

const list = [
  { currency_id: 1000, token: 'ETH', chain: 'ETH' },
  { currency_id: 1001, token: 'USDT', chain: 'ETH' },
  { currency_id: 2001, token: 'USDT', chain: 'BSC' },
];

describe('a currency', () => {
  it.each([
    ['1001', 1001],
    ['USDT@BSC', 2001],
    ['usdt@eth', 1001],
    ['eth', 1000],
  ])('%s is found', (meant, id) => {
    expect(findCurrency(list, meant).currency_id).toBe(id);
  });

  it('on several chains needs the name of one', () => {
    expect(() => findCurrency(list, 'USDT')).toThrow(
      'USDT lives on several chains; choose one of USDT@ETH (1001), USDT@BSC (2001)',
    );
  });

  it.each(['DOGE', '9', 'USDT@WKC', '@', ''])('%j is not there', (meant) => {
    expect(() => findCurrency(list, meant)).toThrow('there is no currency');
  });
});
