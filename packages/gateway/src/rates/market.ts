// Rates by the market: each source is asked at its own pace in the background, and quotes are made of the last reports.
import { Bug } from '@ducat/core/assert';
import { rateAssetOf } from '@ducat/core/chain/currency';
import { MAX_AHEAD_S } from '@ducat/core/money/consensus';
import { type MarketLimits, marketQuote } from '@ducat/core/money/market-quote';
import type { Reading } from '@ducat/core/money/reading';
import { refuse } from '@ducat/core/result';
import { unixTime, type World } from '../runtime/world.ts';
import { whyUnpriced } from './assets.ts';
import { Outage } from '../runtime/outage.ts';
import type { Get, StoppableGet } from './get.ts';
import type { RateSource } from './port.ts';
import type { PriceSource, SourceAnswer } from './source.ts';

/** One request to one source, as metrics and logs see it. */
export interface RateObservation {
  readonly source: string;
  readonly ok: boolean;
  /** Why the request gave no price; null where it gave one. */
  readonly reason: string | null;
  /** How many prices came. `refused` lists the refused ones, each with its reason. */
  readonly prices: number;
  readonly refused: readonly string[];
  /** Unix seconds of the newest price the source has reported so far; null before the first. */
  readonly newestAt: number | null;
  readonly ms: number;
}

export interface RateObserver {
  onRateAnswer(observation: RateObservation): void;
}

export interface AskedSource {
  readonly source: PriceSource;
  readonly get: StoppableGet;
}

export interface MarketOptions {
  readonly sources: readonly AskedSource[];
  /** Names of the rate assets that may be asked for. */
  readonly coins: readonly string[];
  /** Names of the fiat currencies, apart from the dollar. */
  readonly fiats: readonly string[];
  readonly limits: MarketLimits;
  readonly world: World;
  readonly observer: RateObserver;
}

export interface MarketRates extends RateSource {
  /** Asks the sources until the signal is aborted. Callers of `quote` never wait for a source. */
  run(signal: AbortSignal): Promise<void>;
}

/**
 * A failing source is asked again after this or its usual pace, whichever is shorter. The pause doubles up to the longest.
 */
const FIRST_PAUSE_MS = 30_000;
const LONGEST_PAUSE_MS = 10 * 60_000;
/** No request of a round begins later than this after the round's start. A request under way ends by its own limit. */
const LONGEST_ROUND_MS = 25_000;

/** Fetches nothing before `run`. A source that fails keeps its last reports until they are too old. */
export function createMarketRates(options: MarketOptions): MarketRates {
  const { sources, world, limits } = options;
  const latest = new Map<string, ReadonlyMap<string, Reading>>();
  const readingsOf = (base: string, quote: string) =>
    [...latest.values()].flatMap((readings) => readings.get(pairOf(base, quote)) ?? []);
  return {
    warning: null,
    quote: (currency, fiat) => {
      const asset = rateAssetOf(currency);
      const why = whyUnpriced(asset);
      // mark: no-price-of-what-it-is-not
      if (why === null && asset !== null)
        return Promise.resolve(marketQuote(asset, fiat, readingsOf, limits, unixTime(world)));
      const message = `${currency.symbol} has no price in fiat: ${why}; state a token_amount`;
      return Promise.resolve(refuse({ code: 'rate-unavailable', message }));
    },
    run: async (signal) => {
      await Promise.all(sources.map((asked) => runSource(asked, options, latest, signal)));
    },
  };
}

async function runSource(
  asked: AskedSource,
  options: MarketOptions,
  latest: Map<string, ReadonlyMap<string, Reading>>,
  signal: AbortSignal,
): Promise<void> {
  let failures = 0;
  while (!signal.aborted) {
    failures = (await askSource(asked, options, latest, signal)) ? 0 : failures + 1;
    await options.world.sleep(pauseMs(asked.source.everyMs, failures), signal);
  }
}

/** Whether the source gave at least one price. */
async function askSource(
  { source, get }: AskedSource,
  { coins, fiats, world, observer }: MarketOptions,
  latest: Map<string, ReadonlyMap<string, Reading>>,
  signal: AbortSignal,
): Promise<boolean> {
  const startedMs = world.nowMs();
  const before = latest.get(source.name) ?? new Map<string, Reading>();
  const observe = (answer: Pick<RateObservation, 'ok' | 'reason' | 'prices' | 'refused'>) => {
    const newestAt = newestOf(latest.get(source.name));
    observer.onRateAnswer({ ...answer, source: source.name, newestAt, ms: world.nowMs() - startedMs });
    return answer.ok;
  };
  try {
    const answer = await source.fetch(inRound(get, world, signal), source.kind === 'coin' ? coins : fiats);
    // We ended the request ourselves, which says nothing about the source.
    if (signal.aborted) return false;
    const { readings, refused } = withoutFuture(answer, unixTime(world));
    // Without a usable price, the earlier reports of the source stay until they are too old.
    if (readings.length === 0) {
      return observe({ ok: false, reason: refused[0] ?? 'knows none of the prices', prices: 0, refused });
    }
    latest.set(source.name, new Map([...before, ...byPair(readings)]));
    return observe({ ok: true, reason: null, prices: readings.length, refused });
  } catch (error) {
    if (error instanceof Bug) throw error;
    // We ended the request ourselves, which says nothing about the source.
    if (signal.aborted) return false;
    const reason = error instanceof Error ? error.message : 'unknown error';
    return observe({ ok: false, reason, prices: 0, refused: [] });
  }
}

function inRound(get: StoppableGet, world: World, signal: AbortSignal): Get {
  const endMs = world.nowMs() + LONGEST_ROUND_MS;
  return (path) => {
    if (world.nowMs() <= endMs) return get(path, signal);
    return Promise.reject(new Outage('takes too long for all its prices', { retryable: true }));
  };
}

/**
 * Drops readings with a time in the future. If one were kept, it would count as newer than every true one until that time.
 */
function withoutFuture({ readings, refused }: SourceAnswer, now: number): SourceAnswer {
  const isFuture = ({ at }: Reading) => at > now + MAX_AHEAD_S;
  const reasons = readings
    .filter(isFuture)
    .map(({ base, quote, at }) => `${base} in ${quote}: its time is ${at - now} s ahead of the clock`);
  return { readings: readings.filter((reading) => !isFuture(reading)), refused: [...refused, ...reasons] };
}

/**
 * The last report of a source counts, no matter which time it states. That time only decides whether the report is too old.
 */
function byPair(readings: readonly Reading[]): ReadonlyMap<string, Reading> {
  return new Map(readings.map((reading) => [pairOf(reading.base, reading.quote), reading]));
}

function pauseMs(everyMs: number, failures: number): number {
  if (failures === 0) return everyMs;
  const longest = Math.max(everyMs, LONGEST_PAUSE_MS);
  return Math.min(longest, Math.min(everyMs, FIRST_PAUSE_MS) * 2 ** Math.min(failures - 1, 20));
}

function pairOf(base: string, quote: string): string {
  return `${base} ${quote}`;
}

function newestOf(readings: ReadonlyMap<string, Reading> | undefined): number | null {
  if (readings === undefined || readings.size === 0) return null;
  return Math.max(...[...readings.values()].map(({ at }) => at));
}
