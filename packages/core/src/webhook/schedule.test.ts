// The retry schedule is the contract's, to the second, and success is exactly what the contract calls so.
import { describe, expect, it } from 'vitest';
import { isSuccess, MAX_ATTEMPTS, nextAttemptInMs, retryScheduleSeconds } from './schedule.ts';

/** As the merchant interface writes it. */
const contractText = '5s, 15s, 30s, 3m, 10m, 20m, 30m, 30m, 30m, 60m, 3h, 3h, 3h, 6h, 6h';
const secondsIn: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600 };

describe('the retry schedule', () => {
  it('is the text of the contract', () => {
    const expected = contractText
      .split(', ')
      .map((text) => Number.parseInt(text, 10) * secondsIn[text.at(-1)!]!);
    expect(retryScheduleSeconds).toEqual(expected);
  });

  it('has 15 retries after the first attempt, over 24 h 3 m 50 s', () => {
    expect(MAX_ATTEMPTS).toBe(16);
    expect(retryScheduleSeconds.reduce((sum, seconds) => sum + seconds, 0)).toBe(86_630);
    expect(24 * 3600 + 3 * 60 + 50).toBe(86_630);
  });

  it('gives the next wait after each attempt, and none after the last', () => {
    const waits = Array.from({ length: MAX_ATTEMPTS }, (_, made) => nextAttemptInMs(made + 1));
    expect(waits).toEqual([...retryScheduleSeconds.map((seconds) => seconds * 1000), null]);
    expect(nextAttemptInMs(MAX_ATTEMPTS + 1)).toBeNull();
  });
});

describe('isSuccess', () => {
  it.each([
    [200, 'Success', true],
    [200, ' Success\r\n', true],
    [200, 'success', false],
    [200, 'SUCCESS', false],
    [200, '"Success"', false],
    [200, 'Success!', false],
    [200, '', false],
    [201, 'Success', false],
    [204, 'Success', false],
    [302, 'Success', false],
    [500, 'Success', false],
  ])('of status %s and body %j is %s', (status, body, expected) => {
    expect(isSuccess(status, body)).toBe(expected);
  });
});
