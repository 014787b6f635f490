// The deadline of one request. An AbortSignal would do, at several times the cost of everything else in the request.

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

  /** Calls `act` when the time is over, at once if it is over already. Replaces the function of an earlier call. */
  onPass(act: () => void): void {
    this.#then = act;
    if (this.passed) act();
  }

  /** The deadline does not pass from now on. */
  clear(): void {
    clearTimeout(this.#timer);
  }
}
