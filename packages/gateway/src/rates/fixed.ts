// Made-up prices that never move, for the local demo and for tests: nobody may be charged by them.
import { assert } from '@ducat/core/assert';
import { type Currency, rateAssetOf } from '@ducat/core/chain/currency';
import { parseDecimal } from '@ducat/core/money/decimal';
import { RATE_DECIMALS } from '@ducat/core/money/reading';
import { accept, refuse } from '@ducat/core/result';
import { unixTime, type World } from '../runtime/world.ts';
import { sourcesOf, whyUnpriced } from './assets.ts';
import type { RateSource } from './port.ts';

/** Every quote from these prices has this source, for as long as the order lives. */
export const FIXED_SOURCE = 'fixed demo rates';

const WARNING = 'Rates are fixed and made up for the demo. Do not charge anybody by them.';

/** US dollars for one of each rate asset that several sources of the market price. */
const usdPrices: ReadonlyMap<string, string> = new Map(
  Object.entries({
    '1': 'USDT USDC DAI USDS PYUSD USDe TUSD USD1 RLUSD LUSD GUSD FDUSD USDD',
    '1.1': 'EURC',
    '4000': 'ETH WETH',
    '4500': 'PAXG',
    '100000': 'BTC WBTC cbBTC tBTC',
    '900': 'BNB WBNB',
    '500': 'BCH',
    '300': 'AAVE',
    '180': 'SOL',
    '100': 'LTC QNT COMP',
    '25': 'AVAX LINK ENS',
    '10': 'UNI INJ XVS AXS',
    '4': 'DOT ATOM FIL CAKE',
    '2': 'XRP TWT LISTA',
    '1500': 'MKR',
    '0.5': 'POL MATIC LDO CRV SNX APE SAND MANA IMX ARB ONDO ENA 1INCH SUSHI BAT CHZ ENJ ADA',
    '0.3': 'TRX WTRX',
    '0.2': 'DOGE GRT',
    '0.05': 'SKY JST SUN',
    '0.00001': 'SHIB PEPE FLOKI WIN',
    '0.000001': 'BTT NFT HTX',
  }).flatMap(([price, symbols]) => symbols.split(' ').map((symbol) => [symbol, price] as const)),
);

/** What one US dollar costs in each of the 23 fiat names. */
const fiatPerUsd: Readonly<Record<string, string>> = {
  USD: '1',
  USDT: '1',
  JPY: '150',
  CHF: '0.8',
  CAD: '1.4',
  NOK: '10',
  SEK: '9.5',
  HKD: '7.8',
  SGD: '1.3',
  KRW: '1400',
  TWD: '31',
  CNY: '7.1',
  INR: '88',
  BRL: '5.4',
  MXN: '18.5',
  ZAR: '17.5',
  RUB: '80',
  TRY: '42',
  EUR: '0.9',
  GBP: '0.75',
  AUD: '1.5',
  VND: '26000',
  THB: '32.5',
};

/**
 * A source that always answers with a young quote. An asset that the market with its defaults cannot price has no price
 * here.
 */
export function createFixedRates(world: World): RateSource {
  return {
    warning: WARNING,
    quote: (currency: Currency, fiat: string) => {
      const asset = rateAssetOf(currency);
      const usd = asset === null || sourcesOf(asset) !== 'several' ? undefined : usdPrices.get(asset);
      const perUsd = fiatPerUsd[fiat];
      if (usd === undefined || perUsd === undefined) {
        const message = whyNot(currency, asset, fiat);
        return Promise.resolve(refuse({ code: 'rate-unavailable', message }));
      }
      const rate = { fiat, priceUnits: half(usd) * half(perUsd) };
      return Promise.resolve(accept({ rate, at: unixTime(world), source: FIXED_SOURCE, evidence: [] }));
    },
  };
}

function whyNot({ symbol }: Currency, asset: string | null, fiat: string): string {
  const why = whyUnpriced(asset);
  if (why !== null) return `${symbol} has no price in fiat: ${why}; state a token_amount`;
  if (asset !== null && sourcesOf(asset) === 1)
    return `${symbol} has no price in fiat: one source alone prices it, and the market asks for two; state a token_amount`;
  return `the fixed demo rates have no price of ${symbol} in ${fiat}`;
}

/** A factor in units of half the rate's decimals, so that the product of two is in the rate's own units. */
function half(text: string): bigint {
  const units = parseDecimal(text, RATE_DECIMALS / 2);
  assert(units !== null, `${text} is a plain decimal`);
  return units;
}
