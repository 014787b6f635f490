// What differs between two attempts of one webhook. The body and most headers are the same bytes in each, and how the
// receiver answered beside its status is not kept, so this is all there is.

/** What did not happen is null. */
export interface Compared {
  readonly duration_ms: number | null;
  readonly http_status: number | null;
  readonly outcome: string;
}

export type AttemptPart = 'outcome' | 'http_status' | 'duration_ms';

/** Two answers never take the same time. One is slower when it takes twice as long as the other, and so much longer. */
const SLOWER_BY_MS = 100;

/** In the order in which they are shown; none where nothing differs but the time and the signature. */
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
