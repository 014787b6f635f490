// How many rows a list shows, as a person types it.
import { InvalidArgumentError } from 'commander';

export const MAX_LISTED = 1_000;

/** Throws InvalidArgumentError. */
export function readLimit(text: string): number {
  const count = Number(text);
  if (!/^\d+$/.test(text) || count < 1 || count > MAX_LISTED) {
    throw new InvalidArgumentError(`a number from 1 to ${MAX_LISTED}`);
  }
  return count;
}
