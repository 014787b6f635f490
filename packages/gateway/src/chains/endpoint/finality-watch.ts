// Whether what an endpoint calls final stands still while the chain goes on, which no answer of it shows.

export interface FinalityNote {
  /** What the endpoint calls final. */
  readonly height: number;
  /** The most that any endpoint of the chain calls final. */
  readonly highest: number;
  /** The endpoint's own head. */
  readonly head: number;
}

/** With no other endpoint to compare with, finality may stop for longer before it is told. */
const patienceAlone = 10;

export class FinalityWatch {
  readonly #patienceMs: number;
  #height = -1;
  #behindSinceMs: number | null = null;
  #stillSinceMs = 0;
  #headThen = -1;
  #head = -1;
  #notedMs = 0;

  constructor(patienceMs: number) {
    this.#patienceMs = patienceMs;
  }

  note(nowMs: number, { height, highest, head }: FinalityNote): void {
    if (height !== this.#height) {
      this.#height = height;
      this.#stillSinceMs = nowMs;
      this.#headThen = head;
      this.#behindSinceMs = null;
    }
    this.#head = head;
    this.#notedMs = nowMs;
    if (height >= highest) this.#behindSinceMs = null;
    else this.#behindSinceMs ??= nowMs;
  }

  /** What is wrong, in words; null where nothing is, or where nothing was noted yet. */
  stall(): string | null {
    const isBehind = this.#behindSinceMs !== null && this.#notedMs - this.#behindSinceMs >= this.#patienceMs;
    const isStill = this.#notedMs - this.#stillSinceMs >= this.#patienceMs * patienceAlone;
    if (isBehind) return `calls nothing above block ${this.#height} final, and another endpoint does`;
    if (this.#head > this.#headThen && isStill)
      return `calls nothing above block ${this.#height} final, although its head moves on`;
    return null;
  }
}
