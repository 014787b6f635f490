// The section [rates]: where prices come from, and how much the sources must agree.
import { resolve } from 'node:path';
import { sourcesOf } from '../rates/assets.ts';
import { ConfigError } from './config-error.ts';
import { type ConfigFile, type RateSourceName, rateSourceNames } from './schema.ts';
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
  if (minSources > names.length) {
    throw new ConfigError(
      `rates.min_sources: is ${minSources}, but rates.sources names only ${names.length}`,
    );
  }
  checkSingle(rates.single_source ?? []);
  return {
    source,
    maxAgeSeconds,
    maxFiatAgeHours: rates.max_fiat_age_hours ?? 48,
    minSources,
    singleSource: rates.single_source ?? [],
    maxSpreadBasisPoints: rates.max_spread_basis_points ?? 200,
    sources: names.map((name) => ({ name, url: urls[name] ?? null })),
    coingeckoKey:
      keyFile === undefined ? null : readSecret('rates.coingecko_key_file', resolve(from, keyFile), demo),
  };
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
  if (!isSafe || parsed.username !== '' || parsed.password !== '' || parsed.search !== '') {
    throw new ConfigError(`${entry}: must be an https URL without user, password and query`);
  }
}
