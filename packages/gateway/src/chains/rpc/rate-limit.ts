// Limits how often one provider is asked: a token bucket, with one token for each request.
import type { World } from '../../runtime/world.ts';

/** Resolves when the next request may be sent. */
export type RateLimit = () => Promise<void>;

/** Requests are sent in the order in which they came. After a pause, the requests of one second may be sent at once. */
export function createRateLimit(world: World, perSecond: number): RateLimit {
  const everyMs = 1_000 / perSecond;
  // The time at which the bucket is full again; every request moves it later.
  let fullAtMs = 0;
  let waiting = 0;
  return async () => {
    const now = world.nowMs();
    // The waiting requests bound how far away this is, because a clock that was set back must not stop them all.
    const atMost = now + 1_000 + waiting * everyMs;
    fullAtMs = Math.min(Math.max(now, fullAtMs), atMost) + everyMs;
    const waitMs = fullAtMs - now - 1_000;
    if (waitMs <= 0) return;
    waiting++;
    try {
      await world.sleep(Math.ceil(waitMs));
    } finally {
      waiting--;
    }
  };
}
