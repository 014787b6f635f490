// One round over the questions of open pages. Each is answered by itself, so a failing or slow one does not starve the rest.
import type { LiveQuestion } from './live-questions.ts';
import type { Watched, WatchedList } from './watched.ts';

export interface RoundWork {
  /** Whether all questions are answered although no mark has changed. */
  readonly isFull: boolean;
  readonly marks: (question: LiveQuestion) => string;
  readonly renew: (live: Watched) => Promise<void>;
  readonly onFailed: (error: unknown) => void;
  readonly nowMs: () => number;
}

/** A round ends after this time, so that sessions are checked again before the rest is answered. */
const MOST_MS = 10_000;
const MOST_WAITS = 64;

/**
 * Begins with the questions whose sequence is larger than `after`. Returns the `after` of the next round: 0 where this
 * round covered all questions.
 */
export async function goRound(watched: WatchedList, after: number, work: RoundWork): Promise<number> {
  const all = [...watched.values()];
  if (work.isFull) for (const live of all) live.isDue = true;
  const [before, behind] = [
    all.filter(({ sequence }) => sequence <= after),
    all.filter(({ sequence }) => sequence > after),
  ];
  const startMs = work.nowMs();
  for (const live of [...behind, ...before]) {
    if (Math.abs(work.nowMs() - startMs) >= MOST_MS) return live.sequence - 1;
    await goOn(live, work);
  }
  return 0;
}

async function goOn(live: Watched, { marks, renew, onFailed }: RoundWork): Promise<void> {
  const mark = marks(live.question);
  if (mark === live.mark && !live.isDue) return;
  if (live.waits > 0) {
    live.waits -= 1;
    return;
  }
  try {
    await renew(live);
    [live.mark, live.isDue, live.failures] = [mark, false, 0];
  } catch (error) {
    // The pages keep what they have.
    // mark: one-live-question-fails-alone
    live.failures += 1;
    live.waits = Math.min(2 ** live.failures, MOST_WAITS);
    onFailed(error);
  }
}
