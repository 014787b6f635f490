// Whether an endpoint takes so long that a chain which waits for it falls behind, which no answer of it shows.

/** For so long it is not tried whether it has become faster. */
const pauseMs = 300_000;

export class SlowWatch {
  readonly #boundMs: number;
  #isSlow = false;
  #slowUntilMs = 0;
  #spareUntilMs = 0;

  constructor(boundMs: number) {
    this.#boundMs = boundMs;
  }

  /** How long it took, and whether others settled the same without it and sooner, which is looked up only where it matters. */
  note(nowMs: number, tookMs: number, isSpare: () => boolean): void {
    if (tookMs > this.#boundMs) {
      this.#isSlow = true;
      this.#slowUntilMs = nowMs + pauseMs;
      if (isSpare()) this.#spareUntilMs = this.#slowUntilMs;
    } else if (nowMs >= this.#slowUntilMs) this.#isSlow = false;
  }

  /** Whether nobody should wait for it now where the others do without it. */
  isSpare(nowMs: number): boolean {
    return nowMs < this.#spareUntilMs;
  }

  /** What is wrong, in words; null where it answers in time. */
  trouble(): string | null {
    return this.#isSlow ? `takes longer than ${this.#boundMs / 1_000} s for a block` : null;
  }
}
