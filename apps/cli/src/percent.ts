// Percent as people type and read it, parts per million inside.
import { InvalidArgumentError } from 'commander';

const PPM_PER_PERCENT = 10_000;

/**
 * Reads 1.5% as parts per million, at most so many; four decimals are exact. Without the sign 0.03 could be meant as
 * 3 %, so only 0 goes without. Throws commander's error.
 */
export function ppmUpTo(most: bigint): (text: string) => number {
  return (text) => {
    const match = /^(\d{1,3})(?:\.(\d{1,4}))?%$/.exec(text === '0' ? '0%' : text);
    const value =
      match === null
        ? Number.NaN
        : Number(match[1]) * PPM_PER_PERCENT + Number((match[2] ?? '').padEnd(4, '0'));
    if (value <= Number(most)) return value;
    throw new InvalidArgumentError(
      `percent from 0 to ${percentOf(most)}, at most 4 decimals, written with the sign, such as 1.5%`,
    );
  };
}

/** Parts per million in percent, such as 0.03%. */
export function percentOf(ppm: bigint): string {
  return `${Number(ppm) / PPM_PER_PERCENT}%`;
}
