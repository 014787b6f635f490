// How often one provider is asked: a bucket of tokens, one for each request.
import { Outage } from '../../runtime/outage.ts';
import type { World } from '../../runtime/world.ts';
import { maxWaitingRequests } from './limits.ts';

/** Resolves when the next request may be sent. Throws Outage where too many wait already. */
export type RateLimit = () => Promise<void>;

export interface RateLimitOptions {
  readonly perSecond: number;
  /** Requests that may be sent at once after a pause. */
  readonly burst: number;
}

/** Requests are let through in the order in which they came. */
export function createRateLimit(world: World, { perSecond, burst }: RateLimitOptions): RateLimit {
  const everyMs = 1_000 / perSecond;
  // The time at which the bucket is full again; every request moves it on.
  let fullAtMs = 0;
  let waiting = 0;
  return async () => {
    if (waiting >= maxWaitingRequests) throw new Outage('has too many requests waiting');
    const now = world.nowMs();
    // Never further away than the waiting requests make it: a clock that was set back must not stop them all.
    const atMost = now + (burst + waiting) * everyMs;
    fullAtMs = Math.min(Math.max(now, fullAtMs), atMost) + everyMs;
    const waitMs = fullAtMs - now - burst * everyMs;
    if (waitMs <= 0) return;
    waiting++;
    try {
      await world.sleep(Math.ceil(waitMs));
    } finally {
      waiting--;
    }
  };
}
