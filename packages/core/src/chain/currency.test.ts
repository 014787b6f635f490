// What a currency is priced as, how much of it is believed, and what a chain pays its fees in.
import { expect, it } from 'vitest';
import { Bug } from '../assert.ts';
import { amountOf } from '../money/amount.ts';
import { nativeCurrency } from './chain.ts';
import { creditBound, isNativeCurrency, rateAssetOf } from './currency.ts';
import { eth } from './definitions/eth.ts';
import { token } from './definitions/token.ts';
import { defaultQuorum } from './quorum.ts';

it.each([
  [6, undefined, 10n ** 22n],
  [0, undefined, 10n ** 16n],
  [2, 5n, 500n],
])(
  'of %i decimals and a bound of %s whole tokens a credit of %s units is believed',
  (decimals, most, units) => {
    const currency = { currencyId: 1001, decimals, ...(most === undefined ? {} : { maxCredit: most }) };
    expect(creditBound(currency)).toEqual(amountOf(1001, units));
  },
);

it.each([
  [undefined, 'WETH'],
  ['ETH', 'ETH'],
  [null, null],
])('with the rate asset %s it is priced as %s', (rateAsset, asset) => {
  expect(rateAssetOf({ symbol: 'WETH', ...(rateAsset === undefined ? {} : { rateAsset }) })).toBe(asset);
});

it('a chain pays its fees in its first currency, which has no contract', () => {
  const native = nativeCurrency(eth);
  expect(native).toBe(eth.currencies[0]);
  expect(eth.currencies.filter(isNativeCurrency)).toEqual([native]);
  expect(() => nativeCurrency({ name: 'X', currencies: [] })).toThrow(Bug);
});

it('a token of the catalogue is on unless it says why not', () => {
  const plain = { currencyId: 1, symbol: 'A', contract: '0xa', decimals: 6, displayDecimals: 2 };
  expect(token(1, 'A', '0xa', 6, 2)).toStrictEqual({ ...plain, enabled: true });
  expect(token(1, 'A', '0xa', 6, 2, { off: 'it rebases', rateAsset: 'B' })).toStrictEqual({
    ...plain,
    enabled: false,
    offReason: 'it rebases',
    rateAsset: 'B',
  });
});

it.each([
  [0, 0],
  [1, 1],
  [2, 2],
  [5, 2],
])('of %i providers %i have to agree', (providers, quorum) => {
  expect(defaultQuorum(providers)).toBe(quorum);
});
