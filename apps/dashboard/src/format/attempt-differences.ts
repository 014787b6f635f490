// The differences of two attempts of a webhook. Body and most headers are equal; of the response only the status is kept.

/** Null stands for a part that did not happen. */
export interface Compared {
  readonly duration_ms: number | null;
  readonly http_status: number | null;
  readonly outcome: string;
}

export type AttemptPart = 'outcome' | 'http_status' | 'duration_ms';

/**
 * Two responses never take exactly the same time. One counts as slower if it takes twice as long as the other, and at least
 * this much longer.
 */
const SLOWER_BY_MS = 100;

/** The differing parts in the order in which they are shown; none where only the time and the signature differ. */
export function attemptDifferences(one: Compared, other: Compared): readonly AttemptPart[] {
  const differs: Readonly<Record<AttemptPart, boolean>> = {
    outcome: one.outcome !== other.outcome,
    http_status: one.http_status !== other.http_status,
    duration_ms: isOtherPace(one.duration_ms, other.duration_ms),
  };
  return attemptParts.filter((part) => differs[part]);
}

export const attemptParts = [
  'outcome',
  'http_status',
  'duration_ms',
] as const satisfies readonly AttemptPart[];

function isOtherPace(one: number | null, other: number | null): boolean {
  if (one === null || other === null) return one !== other;
  const [quick, slow] = [Math.min(one, other), Math.max(one, other)];
  return slow >= 2 * quick && slow - quick >= SLOWER_BY_MS;
}
