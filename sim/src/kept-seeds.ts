// The seeds that are kept: they run with every test, so that a bug that was fixed stays fixed.
import { readFileSync } from 'node:fs';

/** Reads `sim/seeds.txt`: one seed a line, then what it found. Lines with # are comments. */
export function keptSeeds(): readonly number[] {
  const text = readFileSync(new URL('../seeds.txt', import.meta.url), 'utf8');
  return text
    .split('\n')
    .filter((line) => /^\d/.test(line))
    .map((line) => Number.parseInt(line, 10));
}
