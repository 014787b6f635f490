// A clock moved by hand, on which the short waits between the questions of one round take care of themselves.
import type { HandClock } from '../hand-clock.ts';

/** No source waits longer between two questions, and no limit of time is shorter. */
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
