// When a failing endpoint is left alone, and when it may be tried again. Times are handed in.

const failuresToOpen = 3;
const firstPauseMs = 1_000;
const liePauseMs = 60_000;
const longestPauseMs = 30_000;
const longestLiePauseMs = 300_000;

/**
 * Closed while answers come. Opens after three failures in a row, or at once on a lie; after the pause one
 * request is let through, and the pause doubles each time that one fails.
 */
export class Breaker {
  #failures = 0;
  #openUntilMs = 0;
  #pauseMs = 0;
  #probing = false;

  get open(): boolean {
    return this.#pauseMs > 0;
  }

  /** Whether a request may be sent now. Where it may, `enter` takes the place of the one that tries. */
  admits(nowMs: number): boolean {
    return !this.open || (nowMs >= this.#openUntilMs && !this.#probing);
  }

  enter(): void {
    this.#probing = this.open;
  }

  /** Gives the place back without a verdict, where the request said nothing about the endpoint. */
  leave(): void {
    this.#probing = false;
  }

  /** An answer to a request sent before the breaker opened does not close it. */
  succeeded(nowMs: number): void {
    this.#probing = false;
    if (this.open && nowMs < this.#openUntilMs) return;
    this.#failures = 0;
    this.#pauseMs = 0;
  }

  failed(nowMs: number, lied: boolean): void {
    const probed = this.#probing;
    this.#probing = false;
    this.#failures++;
    if (this.open && !probed && !lied) return;
    if (!lied && this.#failures < failuresToOpen) return;
    const [least, most] = lied ? [liePauseMs, longestLiePauseMs] : [firstPauseMs, longestPauseMs];
    this.#pauseMs = Math.min(most, Math.max(least, this.#pauseMs * 2));
    this.#openUntilMs = nowMs + this.#pauseMs;
  }
}
