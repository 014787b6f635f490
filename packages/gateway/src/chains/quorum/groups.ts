// Equal reports, put together.
import type { Answer } from './provider.ts';

/** The answers in groups of the same key, the largest group first. */
export function groups<T>(
  answers: readonly Answer<T>[],
  keyOf: (answer: Answer<T>) => string,
): readonly (readonly Answer<T>[])[] {
  const byKey = new Map<string, Answer<T>[]>();
  for (const answer of answers) {
    const key = keyOf(answer);
    byKey.set(key, [...(byKey.get(key) ?? []), answer]);
  }
  return [...byKey.values()].sort((one, other) => other.length - one.length);
}
