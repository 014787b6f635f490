// Reads spans of time as people type them: 90s, 5m, 2h, 1d.
import { InvalidArgumentError } from 'commander';

const SECONDS = { s: 1, m: 60, h: 3_600, d: 86_400 } as const;

/** Whole seconds. A bare number counts as seconds. Throws commander's error for anything else. */
export function parseDuration(text: string): number {
  const match = /^(\d{1,7})([smhd]?)$/.exec(text);
  if (match === null)
    throw new InvalidArgumentError('a time is a number with s, m, h or d, such as 90s or 5m');
  const [, count, unit] = match;
  return Number(count) * (unit === 'm' || unit === 'h' || unit === 'd' ? SECONDS[unit] : 1);
}
