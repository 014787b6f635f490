// What a day of comparing the books with the chains came to.

const DAY_MS = 86_400_000;

/** Days since 1970 in UTC. */
export function dayOf(timeMs: number): number {
  return Math.floor(timeMs / DAY_MS);
}

/** `unlooked`: not one comparison succeeded, so nothing is known. */
export type DayVerdict = 'clean' | 'differs' | 'unlooked';

/** A difference of one comparison is not taken back by a later one that finds none. */
export function verdictOf(day: { readonly comparisons: number; readonly mostDiffering: number }): DayVerdict {
  if (day.mostDiffering > 0) return 'differs';
  return day.comparisons > 0 ? 'clean' : 'unlooked';
}
