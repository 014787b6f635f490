// The seeds that are kept: they run with every test, so that what was mended stays mended.
import { readFileSync } from 'node:fs';

/** One seed a line in `sim/seeds.txt`, then what it found; lines with # are words to the reader. */
export function keptSeeds(): readonly number[] {
  const text = readFileSync(new URL('../seeds.txt', import.meta.url), 'utf8');
  return text
    .split('\n')
    .filter((line) => /^\d/.test(line))
    .map((line) => Number.parseInt(line, 10));
}
