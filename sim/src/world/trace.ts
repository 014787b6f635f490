// What happened in a run: every step goes into a hash, and what a reader wants to know goes into the story.
import { createHash } from 'node:crypto';

export class Trace {
  /** Steps taken so far; the number by which the trace and the story name a moment. */
  steps = 0;
  readonly story: string[] = [];
  readonly lines: string[] = [];
  readonly #hash = createHash('sha256');
  readonly #keepLines: boolean;

  constructor(keepLines: boolean) {
    this.#keepLines = keepLines;
  }

  /** One step of the scheduler. */
  step(clockMs: number, text: string): void {
    this.steps++;
    this.#add(`${this.steps} ${clockMs} ${text}`);
  }

  /** Something a reader of the story wants to know; it counts for the hash as well. */
  note(clockMs: number, text: string): void {
    this.#add(`  ${text}`);
    const seconds = ((clockMs - STORY_START_MS) / 1000).toFixed(1);
    this.story.push(`${seconds.padStart(8)} s  step ${String(this.steps).padStart(5)}  ${text}`);
  }

  /** The hash of everything so far, for the end of the run. */
  digest(): string {
    return this.#hash.digest('hex');
  }

  #add(line: string): void {
    this.#hash.update(line);
    this.#hash.update('\n');
    if (this.#keepLines) this.lines.push(line);
  }
}

/** The time at which every story begins. */
export const STORY_START_MS = 1_700_000_000_000;
