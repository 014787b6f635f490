// The breaker: when it opens, whom it lets through, and how its pauses grow.
import { describe, expect, it } from 'vitest';
import { Breaker } from './breaker.ts';

function failed(times: number, nowMs: number): Breaker {
  const breaker = new Breaker();
  for (let time = 0; time < times; time++) breaker.failed(nowMs, 'failed');
  return breaker;
}

describe('Breaker', () => {
  it('opens after three failures in a row, not before', () => {
    expect(failed(2, 0).admits(0)).toBe(true);
    expect(failed(3, 0).admits(0)).toBe(false);
    const breaker = failed(2, 0);
    breaker.succeeded(0);
    breaker.failed(0, 'failed');
    expect(breaker.admits(0)).toBe(true);
  });
  it('lets one request through after the pause, and closes when that goes well', () => {
    const breaker = failed(3, 0);
    expect(breaker.admits(999)).toBe(false);
    expect(breaker.admits(1_000)).toBe(true);
    breaker.enter();
    expect(breaker.admits(1_000)).toBe(false);
    breaker.succeeded(1_001);
    expect(breaker.open).toBe(false);
  });
  it('doubles the pause each time that request fails, up to half a minute', () => {
    const breaker = failed(3, 0);
    let now = 0;
    for (const pause of [1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]) {
      expect(breaker.admits(now + pause - 1)).toBe(false);
      now += pause;
      expect(breaker.admits(now)).toBe(true);
      breaker.enter();
      breaker.failed(now, 'failed');
    }
  });
  it('opens at once and for a minute on a lie', () => {
    const breaker = new Breaker();
    breaker.failed(0, 'lied');
    expect(breaker.admits(59_999)).toBe(false);
    expect(breaker.admits(60_000)).toBe(true);
  });
  it('opens at once and for seconds where it is asked to, and for as long as that asks, within bounds', () => {
    const breaker = new Breaker();
    let now = 0;
    for (const [asked, pause] of [
      [null, 2_000],
      [null, 4_000],
      [1_000, 8_000],
      [20_000, 20_000],
      [10 ** 9, 300_000],
      [null, 60_000],
    ] as const) {
      breaker.failed(now, 'throttled', asked);
      expect(breaker.admits(now + pause - 1)).toBe(false);
      now += pause;
      expect(breaker.admits(now)).toBe(true);
      breaker.enter();
    }
  });
  it('is not opened further by requests that were under way, unless they show it to be worse', () => {
    const breaker = new Breaker();
    for (let request = 0; request < 16; request++) breaker.failed(0, 'throttled');
    expect(breaker.admits(2_000)).toBe(true);
    breaker.failed(1, 'lied');
    expect(breaker.admits(60_000)).toBe(false);
    expect(breaker.admits(60_001)).toBe(true);
    for (let request = 0; request < 16; request++) breaker.failed(2, 'lied');
    expect(breaker.admits(60_001)).toBe(true);
  });
  it('is not closed by an answer to a request from before it opened', () => {
    const breaker = failed(3, 0);
    breaker.succeeded(500);
    expect(breaker.open).toBe(true);
  });
  it('gives the place back where a request said nothing about the endpoint', () => {
    const breaker = failed(3, 0);
    breaker.enter();
    breaker.leave();
    expect(breaker.admits(1_000)).toBe(true);
  });
});
