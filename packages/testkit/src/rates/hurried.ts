// A clock moved by hand, on which the short waits between the requests of one round end by themselves.
import type { HandClock } from '../hand-clock.ts';

/** No source waits longer between two requests, and no timeout is shorter. */
const SHORT_MS = 1_000;

/** `takesTime`: short waits move the clock; else they end at once and the clock stays. */
export function hurried(clock: HandClock, takesTime: boolean): HandClock {
  return {
    ...clock,
    nowMs: () => clock.nowMs(),
    sleep: (ms, signal) => {
      if (ms > SHORT_MS) return clock.sleep(ms, signal);
      if (takesTime) clock.advance(ms);
      return Promise.resolve();
    },
  };
}
