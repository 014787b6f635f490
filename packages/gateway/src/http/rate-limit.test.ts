// Shows that buckets empty, refill, stay apart and stay bounded.
import { describe, expect, it } from 'vitest';
import { createRateLimit } from './rate-limit.ts';

describe('createRateLimit', () => {
  it('gives the burst at once, then one token as often as the rate says', () => {
    const limit = createRateLimit({ perSecond: 2, burst: 3 }, 10);
    expect([0, 1, 2, 3].map(() => limit.take('a', 1_000))).toEqual([0, 0, 0, 1]);
    expect(limit.take('a', 1_499)).toBe(1);
    expect(limit.take('a', 1_500)).toBe(0);
    expect(limit.take('a', 1_500)).toBe(1);
  });

  it('says how long to wait in whole seconds, rounded up', () => {
    const limit = createRateLimit({ perSecond: 0.1, burst: 1 }, 10);
    limit.take('a', 0);
    expect([
      limit.take('a', 0),
      limit.take('a', 1_000),
      limit.take('a', 9_999),
      limit.take('a', 10_000),
    ]).toEqual([10, 9, 1, 0]);
  });

  it('never gives more than the burst, however long nobody asked', () => {
    const limit = createRateLimit({ perSecond: 5, burst: 2 }, 10);
    limit.take('a', 0);
    expect([0, 1, 2].map(() => limit.take('a', 1e9))).toEqual([0, 0, 1]);
  });

  it('keeps names apart and survives a clock that is set back', () => {
    const limit = createRateLimit({ perSecond: 1, burst: 1 }, 10);
    expect([limit.take('a', 5_000), limit.take('b', 5_000), limit.take('a', 1_000)]).toEqual([0, 0, 1]);
  });

  it('forgets the name not used for longest', () => {
    const limit = createRateLimit({ perSecond: 0.001, burst: 1 }, 2);
    for (const key of ['a', 'b', 'a']) limit.take(key, 0);
    limit.take('c', 0);
    expect([limit.take('a', 0) > 0, limit.take('b', 0)]).toEqual([true, 0]);
  });
});
