// Splits lists that are too long for one request, or for all requests at once.
import { answersAtOnce } from './limits.ts';

export function inChunks<T>(items: readonly T[], size: number): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
}

/**
 * Asks for each item and returns the answers in their order. Few requests run at once, so that reading blocks does not wait
 * behind them.
 */
export async function fewAtOnce<T, R>(items: readonly T[], ask: (item: T) => Promise<R>): Promise<R[]> {
  const answers: R[] = [];
  for (const part of inChunks(items, answersAtOnce)) answers.push(...(await Promise.all(part.map(ask))));
  return answers;
}
