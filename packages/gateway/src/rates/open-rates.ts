// The rates that the operator chose: the source for the roles, and the background work that feeds it.
import type { World } from '../runtime/world.ts';
import { createCachedRates } from './cached.ts';
import { createFixedRates } from './fixed.ts';
import { logSources, type SourceLog } from './log-sources.ts';
import type { RateObserver } from './market.ts';
import { createNoRates } from './none.ts';
import { type MarketSettings, openMarket } from './open-market.ts';
import type { RateSource } from './port.ts';

export type RateSettings =
  | { readonly source: 'none' | 'fixed-demo'; readonly maxAgeSeconds: number }
  | ({ readonly source: 'market' } & MarketSettings);

export interface RateParts {
  /** Names of the rate assets that may be asked for, and of all fiat currencies. */
  readonly coins: readonly string[];
  readonly fiats: readonly string[];
  readonly world: World;
  readonly log: SourceLog;
  readonly observer: RateObserver;
}

export interface Rates {
  readonly source: RateSource;
  /** Resolves at once where there is no background work, else when the signal is aborted. */
  run(signal: AbortSignal): Promise<void>;
}

/** How long a made-up quote is returned again. */
const KEEP_MS = 1_000;

/** Fetches nothing yet. */
export function openRates(settings: RateSettings, { coins, fiats, world, log, observer }: RateParts): Rates {
  if (settings.source === 'market') {
    const logged = logSources(log);
    const market = openMarket(settings, {
      coins,
      fiats,
      world,
      fetch: globalThis.fetch,
      observer: {
        onRateAnswer: (answer) => {
          observer.onRateAnswer(answer);
          logged.onRateAnswer(answer);
        },
      },
    });
    return { source: market, run: (signal) => market.run(signal) };
  }
  const source = settings.source === 'none' ? createNoRates() : createFixedRates(world);
  const limits = { maxAgeS: settings.maxAgeSeconds, keepMs: KEEP_MS };
  return { source: createCachedRates(source, limits, world), run: () => Promise.resolve() };
}
