// Converts between percent, as people type and read it, and parts per million, as the code uses it.
import { InvalidArgumentError } from 'commander';

const PPM_PER_PERCENT = 10_000;

/**
 * Reads a text such as 1.5% as parts per million, up to `most`; four decimals are exact. The percent sign is required,
 * because 0.03 without it could mean 3 %; only 0 needs none. Throws commander's error.
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
