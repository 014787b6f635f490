// How often one provider is asked: a bucket of tokens, one for each request.
import type { World } from '../../runtime/world.ts';

/** Resolves when the next request may be sent. */
export type RateLimit = () => Promise<void>;

/** In the order in which they came; after a pause those of one second at once. */
export function createRateLimit(world: World, perSecond: number): RateLimit {
  const everyMs = 1_000 / perSecond;
  // The time at which the bucket is full again; every request moves it on.
  let fullAtMs = 0;
  let waiting = 0;
  return async () => {
    const now = world.nowMs();
    // Never further away than the waiting requests make it: a clock that was set back must not stop them all.
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
