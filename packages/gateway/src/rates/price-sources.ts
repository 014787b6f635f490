// All sources of prices, by the names that the operator uses for them; one line each.
import type { PriceSource } from './source.ts';
import { createBinance } from './sources/binance.ts';
import { createCoinbase } from './sources/coinbase.ts';
import { createCoingecko } from './sources/coingecko.ts';
import { createCurrencyApi } from './sources/currency-api.ts';
import { createEcb } from './sources/ecb.ts';
import { createErApi } from './sources/er-api.ts';
import { createFloatrates } from './sources/floatrates.ts';
import { createKraken } from './sources/kraken.ts';
import { createOkx } from './sources/okx.ts';

export const priceSources = {
  coingecko: createCoingecko,
  binance: createBinance,
  kraken: createKraken,
  coinbase: createCoinbase,
  okx: createOkx,
  ecb: createEcb,
  er_api: createErApi,
  currency_api: createCurrencyApi,
  floatrates: createFloatrates,
} as const satisfies Readonly<Record<string, () => PriceSource>>;

export type PriceSourceName = keyof typeof priceSources;
