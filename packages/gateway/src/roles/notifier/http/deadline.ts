// The end of the time that one request has. An AbortSignal would do, at several times the cost of everything else in it.

export class Deadline {
  passed = false;
  #then: (() => void) | null = null;
  readonly #timer: NodeJS.Timeout;

  constructor(ms: number) {
    this.#timer = setTimeout(() => {
      this.passed = true;
      this.#then?.();
    }, ms);
  }

  /** Does this when the time is over, at once if it is, and nothing of what was to be done before. */
  onPass(act: () => void): void {
    this.#then = act;
    if (this.passed) act();
  }

  /** From now on it does not pass. */
  clear(): void {
    clearTimeout(this.#timer);
  }
}
