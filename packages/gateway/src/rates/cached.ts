// Wraps any source: remembers quotes for a short while, and refuses quotes that are based on old prices.
import type { Currency } from '@ducat/core/chain/currency';
import type { Quote } from '@ducat/core/money/rate';
import { type Result, refuse } from '@ducat/core/result';
import { LRUCache } from 'lru-cache';
import { unixTime, type World } from '../runtime/world.ts';
import type { RateSource } from './port.ts';

export interface RateLimits {
  /** A quote whose oldest price is older than this many seconds is refused. */
  readonly maxAgeS: number;
  /** For how many milliseconds a quote is returned again without asking the source. */
  readonly keepMs: number;
}

/** Pairs of currency and fiat that are remembered; the least recently used one goes first. */
const MAX_REMEMBERED = 5_000;

interface Remembered {
  readonly atMs: number;
  readonly answer: Result<Quote>;
}

/** Wraps a source: callers that ask for the same pair at the same time share one question. */
export function createCachedRates(source: RateSource, limits: RateLimits, world: World): RateSource {
  const remembered = new LRUCache<string, Remembered>({ max: MAX_REMEMBERED });
  const asked = new Map<string, Promise<Result<Quote>>>();

  function askOnce(key: string, currency: Currency, fiat: string): Promise<Result<Quote>> {
    const running = asked.get(key);
    if (running !== undefined) return running;
    const question = ask(key, currency, fiat).finally(() => asked.delete(key));
    asked.set(key, question);
    return question;
  }

  async function ask(key: string, currency: Currency, fiat: string): Promise<Result<Quote>> {
    const known = remembered.get(key);
    if (known !== undefined && isKept(known, limits.keepMs, world.nowMs())) return known.answer;
    try {
      const answer = await source.quote(currency, fiat);
      remembered.set(key, { atMs: world.nowMs(), answer });
      return answer;
    } catch (error) {
      // While the last quote is young enough to price with, it is returned instead of the error.
      if (known?.answer.ok === true && isYoung(known.answer.value, limits.maxAgeS, unixTime(world))) {
        return known.answer;
      }
      throw error;
    }
  }

  return {
    warning: source.warning,
    quote: async (currency, fiat) => {
      const answer = await askOnce(`${currency.currencyId} ${fiat}`, currency, fiat);
      if (!answer.ok || isYoung(answer.value, limits.maxAgeS, unixTime(world))) return answer;
      const ageS = unixTime(world) - answer.value.at;
      const message = `the rate of ${currency.symbol} in ${fiat} is ${ageS} s old, at most ${limits.maxAgeS} s are allowed`;
      return refuse({ code: 'rate-unavailable', message });
    },
  };
}

function isKept(known: Remembered, keepMs: number, nowMs: number): boolean {
  const ageMs = nowMs - known.atMs;
  return ageMs >= 0 && ageMs < keepMs;
}

/** A price from the future, beyond a clock's usual error, is as untrustworthy as an old one. */
function isYoung(quote: Quote, maxAgeS: number, now: number): boolean {
  return Math.abs(now - quote.at) <= maxAgeS;
}
