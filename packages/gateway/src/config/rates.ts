// The section [rates]: where prices come from, and how much the sources must agree.
import { resolve } from 'node:path';
import { sourcesOf } from '../rates/assets.ts';
import { ConfigError } from './config-error.ts';
import { type ConfigFile, fiatSourceNames, type RateSourceName, rateSourceNames } from './schema.ts';
import { readSecret } from './secret-file.ts';

/** `maxAgeSeconds` bounds the age of the oldest market price in a quote. */
export type RatesConfig =
  | { readonly source: 'none' | 'fixed-demo'; readonly maxAgeSeconds: number }
  | {
      readonly source: 'market';
      readonly maxAgeSeconds: number;
      /** In hours of weekdays, because reference rates are not published on weekends. */
      readonly maxFiatAgeHours: number;
      readonly minSources: number;
      /** Rate assets for which one source is enough. */
      readonly singleSource: readonly string[];
      readonly maxSpreadBasisPoints: number;
      readonly sources: readonly {
        readonly name: RateSourceName;
        /** Null for the source's own public address. */
        readonly url: string | null;
      }[];
      readonly coingeckoKey: string | null;
    };

/** Paths are relative to `from`. Throws ConfigError naming the entry at fault. */
export function ratesConfig(file: ConfigFile, from: string): RatesConfig {
  const rates = file.rates ?? {};
  const demo = file.demo ?? false;
  const source = rates.source ?? 'none';
  const maxAgeSeconds = rates.max_age_seconds ?? 120;
  if (source === 'fixed-demo' && !demo) {
    throw new ConfigError('rates.source: fixed-demo prices are made up and only for demo = true');
  }
  const urls = rates.urls ?? {};
  for (const [name, url] of Object.entries(urls)) checkUrl(`rates.urls.${name}`, url, demo);
  if (source !== 'market') return { source, maxAgeSeconds };
  const minSources = rates.min_sources ?? 2;
  const names = rates.sources ?? rateSourceNames;
  const keyFile = rates.coingecko_key_file;
  const single = rates.single_source ?? [];
  checkSingle(single);
  checkEnough(names, minSources, single.length > 0);
  return {
    source,
    maxAgeSeconds,
    maxFiatAgeHours: rates.max_fiat_age_hours ?? 48,
    minSources,
    singleSource: single,
    maxSpreadBasisPoints: rates.max_spread_basis_points ?? 200,
    sources: names.map((name) => ({ name, url: urls[name] ?? null })),
    coingeckoKey:
      keyFile === undefined ? null : readSecret('rates.coingecko_key_file', resolve(from, keyFile), demo),
  };
}

/**
 * Refuses a configuration in which no coin could ever have a price. Binance is not counted: it prices in USDT, so it needs
 * enough other sources that report the price of USDT in dollars.
 */
function checkEnough(names: readonly RateSourceName[], minSources: number, mayBeOne: boolean): void {
  const inDollars = names.filter((name) => name !== 'binance' && !fiatSourceNames.has(name));
  if (inDollars.length >= (mayBeOne ? 1 : minSources)) return;
  throw new ConfigError(
    `rates.min_sources: is ${minSources}, but rates.sources names only ${inDollars.length} that price coins in dollars (${inDollars.join(', ') || 'none'})`,
  );
}

/** Too few sources of fiat currencies are only a warning, because prices in USD and USDT still work. */
export function ratesWarnings(rates: RatesConfig): readonly string[] {
  if (rates.source !== 'market') return [];
  const fiat = rates.sources.map(({ name }) => name).filter((name) => fiatSourceNames.has(name));
  if (fiat.length >= rates.minSources) return [];
  return [
    `rates.sources: names only ${fiat.length} of fiat currencies (${fiat.join(', ') || 'none'}) where rates.min_sources is ${rates.minSources}, so prices in USD and USDT are all there are`,
  ];
}

/** USDT is refused as a single-source asset, because the prices of all other assets may rest on it. */
function checkSingle(names: readonly string[]): void {
  const wrong = names.find((name) => name === 'USDT' || sourcesOf(name) === 0);
  if (wrong !== undefined) {
    throw new ConfigError(
      `rates.single_source: ${JSON.stringify(wrong)} is not the name of a rate asset that one source may price (docs/operate/rates.md)`,
    );
  }
}

/** Requires https, because plain http can be changed on the way. A mirror on this machine may use http. */
function checkUrl(entry: string, url: string | undefined, demo: boolean): void {
  if (url === undefined) return;
  const parsed = URL.canParse(url) ? new URL(url) : null;
  const isLocal = parsed !== null && ['127.0.0.1', '[::1]', 'localhost'].includes(parsed.hostname);
  const isSafe = parsed?.protocol === 'https:' || (parsed?.protocol === 'http:' && (isLocal || demo));
  // Paths are appended to the text itself, so the text must have the same form as the parsed URL.
  if (!isSafe || !/^https?:\/\/[^\s\p{Cc}/\\?#@]+(?:\/[^\s\p{Cc}\\?#]*)?$/u.test(url)) {
    throw new ConfigError(
      `${entry}: must be an https URL that begins with https:// in small letters, without user, password, "?", "#" and spaces`,
    );
  }
}
