// Builds the market's rates from the operator's settings.
import type { MarketLimits } from '@ducat/core/money/market-quote';
import { weekdayAge } from '@ducat/core/money/weekday-age';
import type { World } from '../runtime/world.ts';
import { createGet, defaultGetLimits } from './get.ts';
import { createMarketRates, type MarketRates, type RateObserver } from './market.ts';
import { priceSources, type PriceSourceName } from './price-sources.ts';

export interface MarketSettings {
  readonly maxAgeSeconds: number;
  readonly maxFiatAgeHours: number;
  readonly minSources: number;
  /** Rate assets for which one source is enough. */
  readonly singleSource: readonly string[];
  readonly maxSpreadBasisPoints: number;
  readonly sources: readonly { readonly name: PriceSourceName; readonly url: string | null }[];
  readonly coingeckoKey: string | null;
}

export interface MarketParts {
  readonly coins: readonly string[];
  readonly fiats: readonly string[];
  readonly world: World;
  readonly fetch: typeof globalThis.fetch;
  readonly observer: RateObserver;
}

const HOUR_S = 3_600;
/** One hundredth of a percent. */
const PPM_PER_BASIS_POINT = 100n;
/** Prices in this coin are multiplied by its own price. As a fiat name it is the same coin. */
const CROSSING_COIN = 'USDT';
const DOLLAR = 'USD';

/** Fetches nothing yet. Throws Outage, not retryable, where an address is not a URL. */
export function openMarket(settings: MarketSettings, parts: MarketParts): MarketRates {
  const sources = settings.sources.map(({ name, url }) => {
    const source = priceSources[name]();
    const place = url ?? source.url;
    const headers = name === 'coingecko' ? coingeckoHeaders(settings.coingeckoKey, place) : {};
    const { world, fetch } = parts;
    return {
      source,
      get: createGet({ url: place, headers, world, fetch, gapMs: source.gapMs ?? 0, ...defaultGetLimits }),
    };
  });
  const { coins, fiats, world, observer } = parts;
  const limits = limitsOf(settings);
  return createMarketRates({
    sources,
    coins: [...new Set([...coins, CROSSING_COIN])],
    fiats: fiats.filter((name) => name !== CROSSING_COIN && name !== DOLLAR),
    limits,
    world,
    observer,
  });
}

function limitsOf(settings: MarketSettings): MarketLimits {
  const both = {
    minSources: settings.minSources,
    maxSpreadPpm: BigInt(settings.maxSpreadBasisPoints) * PPM_PER_BASIS_POINT,
  };
  return {
    coin: { ...both, maxAgeS: settings.maxAgeSeconds, ageOf: (at, now) => now - at },
    singleSource: new Set(settings.singleSource),
    fiat: { ...both, maxAgeS: settings.maxFiatAgeHours * HOUR_S, ageOf: weekdayAge },
  };
}

/** Keys of paid plans belong to a host of their own, and are sent in another header. */
function coingeckoHeaders(key: string | null, url: string): Readonly<Record<string, string>> {
  if (key === null) return {};
  return new URL(url).hostname.startsWith('pro-api.')
    ? { 'x-cg-pro-api-key': key }
    : { 'x-cg-demo-api-key': key };
}
