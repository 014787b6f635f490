// Spans of time as people type them.
import { describe, expect, it } from 'vitest';
import { parseDuration } from './duration.ts';

describe('a duration', () => {
  it.each([
    ['90', 90],
    ['90s', 90],
    ['5m', 300],
    ['2h', 7_200],
    ['1d', 86_400],
  ])('%s is %i seconds', (text, seconds) => {
    expect(parseDuration(text)).toBe(seconds);
  });

  it.each(['', '5 m', '-1s', '1.5m', '5w', '99999999'])('%j is refused', (text) => {
    expect(() => parseDuration(text)).toThrow('90s or 5m');
  });
});
