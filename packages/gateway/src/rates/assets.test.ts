// Each currency of the catalogue has a price of its own or is known to have none; a promise of a coin is not the coin.
import { chainDefinitions } from '@ducat/core/chain/definitions/index';
import { type Currency, rateAssetOf } from '@ducat/core/chain/currency';
import { describe, expect, it } from 'vitest';
import { coingeckoIdsOf, isConsidered, tickersOf, whyUnpriced } from './assets.ts';
import { openMarket } from './open-market.ts';
import { createHandClock } from '@ducat/testkit/hand-clock';

const listed = chainDefinitions.flatMap(({ name, currencies }) =>
  currencies.map((currency) => ({ at: `${currency.symbol}@${name}`, currency })),
);

/** Each of the catalogue has one, if only to say that nobody prices it. */
function assetOf(currency: Currency): string {
  const asset = rateAssetOf(currency);
  if (asset === null) throw new Error(`${currency.symbol} has no rate asset`);
  return asset;
}

function at(name: string): Currency {
  const found = listed.find((entry) => entry.at === name);
  if (found === undefined) throw new Error(`${name} is not in the catalogue`);
  return found.currency;
}

describe('the rate assets', () => {
  it.each(listed)('$at has sources, or is known to have none', ({ currency }) => {
    expect(isConsidered(assetOf(currency))).toBe(true);
  });

  it('are asked of CoinGecko or of nobody', () => {
    for (const { currency } of listed) {
      const asset = assetOf(currency);
      expect(coingeckoIdsOf([asset]).length === 0, asset).toBe(whyUnpriced(asset) !== null);
      if (whyUnpriced(asset) !== null) expect(tickersOf([asset])).toEqual([]);
    }
  });

  it('are shared only by a coin and its wrapper of the same chain, or by one issuer on several chains', () => {
    const sharing = new Map<string, string[]>();
    for (const { at: name, currency } of listed) {
      const [, id] = coingeckoIdsOf([assetOf(currency)])[0] ?? [];
      if (id !== undefined) sharing.set(id, [...(sharing.get(id) ?? []), name]);
    }
    const several = [...sharing].filter(([, names]) => names.length > 1);
    expect(Object.fromEntries(several)).toEqual({
      ethereum: ['ETH@ETH', 'WETH@ETH'],
      binancecoin: ['BNB@BSC', 'WBNB@BSC'],
      tron: ['TRX@Tron', 'WTRX@Tron'],
      // The exception of decision 0018: on BSC both are promises of Binance.
      tether: ['USDT@ETH', 'USDT@BSC', 'USDT@Tron'],
      'usd-coin': ['USDC@ETH', 'USDC@BSC'],
      'true-usd': ['TUSD@ETH', 'TUSD@BSC', 'TUSD@Tron'],
      'usd1-wlfi': ['USD1@ETH', 'USD1@BSC', 'USD1@Tron'],
    });
  });

  it.each([
    ['ETH@BSC', 'ETH'],
    ['BTC@Tron', 'BTC'],
    ['wstETH@ETH', 'ETH'],
    ['BTCB@BSC', 'BTC'],
    ['sTRX@Tron', 'TRX'],
    ['WKC@BSC', 'WKC'],
    ['ENJ@ETH', 'ENJ'],
    ['CHZ@ETH', 'CHZ'],
    ['INJ@BSC', 'INJ'],
    ['BTT@BSC', 'BTT'],
  ])('never price %s as %s, nor ask an exchange for it by that name', (name, other) => {
    const asset = assetOf(at(name));
    expect(asset).not.toBe(other);
    expect(tickersOf([asset])).toEqual([]);
  });

  it('that nobody prices are refused in words, whatever the sources say', async () => {
    const market = openMarket(
      {
        maxAgeSeconds: 60,
        maxFiatAgeHours: 48,
        minSources: 1,
        singleSource: [],
        maxSpreadBasisPoints: 200,
        sources: [],
        coingeckoKey: null,
      },
      {
        coins: ['BTC'],
        fiats: [],
        world: createHandClock(0),
        fetch: globalThis.fetch,
        observer: { onRateAnswer: () => undefined },
      },
    );
    // hits mark: no-price-of-what-it-is-not
    expect(await market.quote(at('BTC@Tron'), 'USD')).toMatchObject({
      ok: false,
      refusal: {
        code: 'rate-unavailable',
        message: expect.stringMatching(
          /^BTC has no price in fiat: it is a promise of .*; state a token_amount$/,
        ),
      },
    });
    expect(await market.quote({ ...at('USDT@ETH'), symbol: 'TWIN' }, 'USD')).toMatchObject({
      refusal: { message: expect.stringContaining('Ducat does not know what the sources call it') },
    });
  });
});
