// The log reports changes, not every answer.
import { describe, expect, it } from 'vitest';
import { logSources } from './log-sources.ts';
import type { RateObservation } from './market.ts';

const good: RateObservation = {
  source: 'okx',
  ok: true,
  reason: null,
  prices: 5,
  refused: [],
  newestAt: 1_795_176_000,
  ms: 80,
};
const down: RateObservation = { ...good, ok: false, reason: 'answered HTTP 503', prices: 0 };
const odd: RateObservation = {
  ...good,
  refused: Array.from({ length: 30 }, (_, i) => `C${i} in USD: the price is zero`),
};

describe('logSources', () => {
  it('has one line for each change of each source', () => {
    const lines: unknown[] = [];
    const line = (level: string) => (fields: object, message: string) =>
      void lines.push([level, message, fields]);
    const observer = logSources({ info: line('info'), warn: line('warn') });
    const other = { ...down, source: 'kraken' };
    for (const answer of [good, good, down, other, down, other, good, odd, odd, good])
      observer.onRateAnswer(answer);
    expect(lines).toEqual([
      ['info', 'rate source answers', { source: 'okx', prices: 5 }],
      ['warn', 'rate source is down', { source: 'okx', reason: 'answered HTTP 503' }],
      ['warn', 'rate source is down', { source: 'kraken', reason: 'answered HTTP 503' }],
      ['info', 'rate source answers', { source: 'okx', prices: 5 }],
      [
        'warn',
        'rate source reports nonsense',
        { source: 'okx', prices: 5, refused: odd.refused.slice(0, 10) },
      ],
      ['info', 'rate source answers', { source: 'okx', prices: 5 }],
    ]);
  });
});
