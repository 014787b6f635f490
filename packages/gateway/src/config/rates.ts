// The section [rates]: where prices come from, and how much the sources must agree.
import { resolve } from 'node:path';
import { sourcesOf } from '../rates/assets.ts';
import { ConfigError } from './config-error.ts';
import { type ConfigFile, fiatSourceNames, type RateSourceName, rateSourceNames } from './schema.ts';
import { readSecret } from './secret-file.ts';

/** `maxAgeSeconds` bounds the age of the oldest moving price that a quote rests on. */
export type RatesConfig =
  | { readonly source: 'none' | 'fixed-demo'; readonly maxAgeSeconds: number }
  | {
      readonly source: 'market';
      readonly maxAgeSeconds: number;
      /** Hours of weekdays, as reference rates are not set on weekends. */
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
 * Refuses what could never have a price. Binance alone prices in USDT, and counts only while enough of the others
 * report what a USDT is worth in dollars.
 */
function checkEnough(names: readonly RateSourceName[], minSources: number, mayBeOne: boolean): void {
  const inDollars = names.filter((name) => name !== 'binance' && !fiatSourceNames.has(name));
  if (inDollars.length >= (mayBeOne ? 1 : minSources)) return;
  throw new ConfigError(
    `rates.min_sources: is ${minSources}, but rates.sources names only ${inDollars.length} that price coins in dollars (${inDollars.join(', ') || 'none'})`,
  );
}

/** What may be meant: without enough sources of fiat, dollars and USDT have prices all the same. */
export function ratesWarnings(rates: RatesConfig): readonly string[] {
  if (rates.source !== 'market') return [];
  const fiat = rates.sources.map(({ name }) => name).filter((name) => fiatSourceNames.has(name));
  if (fiat.length >= rates.minSources) return [];
  return [
    `rates.sources: names only ${fiat.length} of fiat currencies (${fiat.join(', ') || 'none'}) where rates.min_sources is ${rates.minSources}, so prices in USD and USDT are all there are`,
  ];
}

/** USDT stands behind the prices of all others. */
function checkSingle(names: readonly string[]): void {
  const wrong = names.find((name) => name === 'USDT' || sourcesOf(name) === 0);
  if (wrong !== undefined) {
    throw new ConfigError(
      `rates.single_source: ${JSON.stringify(wrong)} is not the name of a rate asset that one source may price (docs/operate/rates.md)`,
    );
  }
}

/** Prices on an open line can be changed on the way; a mirror on this very machine has no way to be on. */
function checkUrl(entry: string, url: string | undefined, demo: boolean): void {
  if (url === undefined) return;
  const parsed = URL.canParse(url) ? new URL(url) : null;
  const isLocal = parsed !== null && ['127.0.0.1', '[::1]', 'localhost'].includes(parsed.hostname);
  const isSafe = parsed?.protocol === 'https:' || (parsed?.protocol === 'http:' && (isLocal || demo));
  // Paths are put behind the text as it stands, so it has to be what the parser made of it.
  if (!isSafe || !/^https?:\/\/[^\s\p{Cc}/\\?#@]+(?:\/[^\s\p{Cc}\\?#]*)?$/u.test(url)) {
    throw new ConfigError(
      `${entry}: must be an https URL that begins with https:// in small letters, without user, password, "?", "#" and spaces`,
    );
  }
}
