// How often one provider is asked: a bucket of tokens, one for each question.
import { Outage } from '../../runtime/outage.ts';
import type { World } from '../../runtime/world.ts';

/** Resolves when the next question may be sent. Throws Outage where too many wait already. */
export type Pace = () => Promise<void>;

export interface PaceLimits {
  readonly perSecond: number;
  /** Questions that may be sent at once after a pause. */
  readonly burst: number;
}

const maxWaiting = 4_096;

/** Questions are let through in the order in which they came. */
export function createPace(world: World, { perSecond, burst }: PaceLimits): Pace {
  const everyMs = 1_000 / perSecond;
  // The time at which the bucket is full again; every question moves it on.
  let fullAtMs = 0;
  let waiting = 0;
  return async () => {
    if (waiting >= maxWaiting) throw new Outage('has too many questions waiting', { retryable: true });
    const now = world.nowMs();
    // Never further away than the questions that wait make it: a clock that was set back must not stop them all.
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
