// How often one provider is asked: a bucket of tokens, one for each question.
import type { World } from '../../world.ts';

/** Resolves when the next question may be sent. */
export type Pace = () => Promise<void>;

export interface PaceLimits {
  readonly perSecond: number;
  /** Questions that may be sent at once after a pause. */
  readonly burst: number;
}

/** Questions are let through in the order in which they came. */
export function createPace(world: World, { perSecond, burst }: PaceLimits): Pace {
  const everyMs = 1_000 / perSecond;
  // The time at which the bucket is full again; every question moves it on.
  let fullAtMs = 0;
  return async () => {
    const now = world.nowMs();
    fullAtMs = Math.max(now, fullAtMs) + everyMs;
    const waitMs = fullAtMs - now - burst * everyMs;
    if (waitMs > 0) await world.sleep(Math.ceil(waitMs));
  };
}
