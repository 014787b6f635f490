// One round over what open pages show: each is answered by itself, and one that fails or takes long keeps none behind it waiting.
import type { LiveQuestion } from './live-questions.ts';
import type { Watched, WatchedList } from './watched.ts';

export interface RoundWork {
  /** Everything is answered although no mark has changed. */
  readonly isFull: boolean;
  readonly marks: (question: LiveQuestion) => string;
  readonly renew: (live: Watched) => Promise<void>;
  readonly onFailed: (error: unknown) => void;
  readonly nowMs: () => number;
}

/** Then sessions are looked at again before the rest is answered. */
const MOST_MS = 10_000;
const MOST_WAITS = 64;

/**
 * Begins behind the one where the last round ended (`after`, a sequence), and returns where this one did; 0 where it came
 * to the end.
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
