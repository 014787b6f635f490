// Logs when a source of prices fails, recovers or begins to report nonsense, instead of every answer.
import type { RateObserver } from './market.ts';

/** The part of the log that is used. */
export interface SourceLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

/** Reasons for refused prices that one line shows. */
const MAX_SHOWN = 10;

export function logSources(log: SourceLog): RateObserver {
  const last = new Map<string, string>();
  return {
    onRateAnswer: ({ source, ok, reason, prices, refused }) => {
      const state = ok ? `up ${refused.length}` : 'down';
      if (last.get(source) === state) return;
      last.set(source, state);
      if (ok && refused.length === 0) log.info({ source, prices }, 'rate source answers');
      else if (ok)
        log.warn({ source, prices, refused: refused.slice(0, MAX_SHOWN) }, 'rate source reports nonsense');
      else log.warn({ source, reason }, 'rate source is down');
    },
  };
}
