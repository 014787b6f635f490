// Lines that wait to be written, and counts that wait for the end of their minute, in bounded memory.
import type { ApiCall } from '../../../db/tables/api-calls.ts';

/** How long calls that are alike are counted into one line. */
const COUNTED_MS = 60_000;

/** The first of calls that are alike, how many they are, and the duration of the longest. */
interface Counted {
  readonly first: ApiCall;
  calls: number;
  durationMs: number;
}

export class LineBuffer {
  readonly #most: number;
  #lines: ApiCall[] = [];
  readonly #counted = new Map<string, Counted>();

  /** `most` bounds the lines, and the counts as well. */
  constructor(most: number) {
    this.#most = most;
  }

  get isEmpty(): boolean {
    return this.#lines.length === 0 && this.#counted.size === 0;
  }

  /** False where there is no room. */
  add(line: ApiCall): boolean {
    if (this.#lines.length >= this.#most) return false;
    this.#lines.push(line);
    return true;
  }

  /** Adds a call to the count of calls that are alike; `firstLine` is called for the first of them. False without room. */
  count(likeness: string, durationMs: number, firstLine: () => ApiCall): boolean {
    const before = this.#counted.get(likeness);
    if (before === undefined && this.#counted.size >= this.#most) return false;
    if (before === undefined) {
      const first = { ...firstLine(), kept: null };
      this.#counted.set(likeness, { first, calls: 1, durationMs });
    } else {
      before.calls += 1;
      before.durationMs = Math.max(before.durationMs, durationMs);
    }
    return true;
  }

  /** Takes out what is to be written now: the lines, and the counts whose minute is over, or all counts. */
  take(nowMs: number, all: boolean): readonly ApiCall[] {
    const lines = this.#lines.splice(0);
    for (const [likeness, { first, calls, durationMs }] of this.#counted) {
      // A clock that was set back must not hold counts for ever.
      if (!all && Math.abs(nowMs - first.atMs) < COUNTED_MS) continue;
      lines.push({ ...first, calls, durationMs });
      this.#counted.delete(likeness);
    }
    return lines;
  }

  /** Puts unwritten lines before all others. Returns how many of the newest lines were lost for lack of room. */
  putBack(lines: readonly ApiCall[]): number {
    this.#lines = [...lines, ...this.#lines];
    return this.#lines.splice(this.#most).length;
  }
}
