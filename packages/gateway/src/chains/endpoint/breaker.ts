// When a failing endpoint is left alone, and when it may be tried again. Times are handed in.

/** Why an endpoint is left alone. */
export type Fault = 'failed' | 'lied' | 'throttled';

interface Pauses {
  /** Faults in a row that open the breaker. */
  readonly toOpen: number;
  readonly firstMs: number;
  readonly longestMs: number;
}

const pauses: Readonly<Record<Fault, Pauses>> = {
  failed: { toOpen: 3, firstMs: 1_000, longestMs: 30_000 },
  lied: { toOpen: 1, firstMs: 60_000, longestMs: 300_000 },
  // A provider counts by seconds, and told the truth all the time.
  throttled: { toOpen: 1, firstMs: 2_000, longestMs: 60_000 },
};
/** The longest pause that a provider is believed to want. */
const longestAskedMs = 300_000;

/**
 * Closed while answers come. Opens after three failures in a row, or at once on a lie or where it is asked to; after
 * the pause one request is let through, and the pause doubles each time that one fails in the same way.
 */
export class Breaker {
  #failures = 0;
  #openUntilMs = 0;
  #pauseMs = 0;
  #fault: Fault = 'failed';
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

  /** `askedMs` is the pause that the endpoint asked for, which is kept to within bounds. */
  failed(nowMs: number, fault: Fault, askedMs: number | null = null): void {
    const probed = this.#probing;
    this.#probing = false;
    this.#failures++;
    // Requests that were under way when it opened say nothing new, unless they are worse.
    if (this.open && !probed && !isWorse(fault, this.#fault)) return;
    const { toOpen, firstMs, longestMs } = pauses[fault];
    if (this.#failures < toOpen) return;
    const before = this.open && this.#fault === fault ? this.#pauseMs : 0;
    this.#pauseMs = Math.min(longestMs, Math.max(firstMs, before * 2));
    this.#fault = fault;
    const asked = Math.min(askedMs ?? 0, longestAskedMs);
    this.#openUntilMs = Math.max(this.open ? this.#openUntilMs : 0, nowMs + Math.max(this.#pauseMs, asked));
  }
}

const badness: Readonly<Record<Fault, number>> = { failed: 0, throttled: 1, lied: 2 };

function isWorse(fault: Fault, than: Fault): boolean {
  return badness[fault] > badness[than];
}
