// Whether an endpoint takes so long that a chain which waits for it falls behind, which no answer of it shows.

/** For so long it is not tried whether it has become faster. */
const pauseMs = 300_000;

export class SlowWatch {
  readonly #boundMs: number;
  readonly #longMs: number;
  readonly #what: string;
  #isSlow = false;
  #slowUntilMs = 0;
  #spareUntilMs = 0;

  /** `what` it takes so long for, in words; from `longMs` on it is done without where others are sooner. */
  constructor(boundMs: number, what: string, longMs = boundMs) {
    this.#boundMs = boundMs;
    this.#longMs = longMs;
    this.#what = what;
  }

  /** How long it took, and whether others settled the same without it and sooner, which is looked up only where it matters. */
  note(nowMs: number, tookMs: number, isSpare: () => boolean): void {
    if (tookMs > this.#boundMs) {
      this.#isSlow = true;
      this.#slowUntilMs = nowMs + pauseMs;
    } else if (!isWithin(nowMs, this.#slowUntilMs, pauseMs)) this.#isSlow = false;
    if (this.isLong(tookMs) && isSpare()) this.#spareUntilMs = nowMs + pauseMs;
  }

  /** Whether others, if they are sooner, should do it without this one. */
  isLong(tookMs: number): boolean {
    return tookMs > this.#longMs;
  }

  /** Whether nobody should wait for it now where the others do without it. */
  isSpare(nowMs: number): boolean {
    return isWithin(nowMs, this.#spareUntilMs, pauseMs);
  }

  /** What is wrong, in words; null where it answers in time, or where nobody has asked it for another pause. */
  trouble(nowMs: number): string | null {
    const isKnown = isWithin(nowMs, this.#slowUntilMs + pauseMs, 2 * pauseMs);
    return this.#isSlow && isKnown ? `takes longer than ${this.#boundMs / 1_000} s for ${this.#what}` : null;
  }
}

/** Whether that time is still to come; one that is further away than it ever was set is of a clock that was put back. */
function isWithin(nowMs: number, untilMs: number, mostMs: number): boolean {
  return nowMs < untilMs && untilMs - nowMs <= mostMs;
}
