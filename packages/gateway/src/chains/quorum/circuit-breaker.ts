// The circuit of one provider: closed, open or half-open, with exponential backoff.
import type { World } from '../../runtime/world.ts';
import { limits } from './limits.ts';

export type Circuit = 'closed' | 'open' | 'half-open';

/**
 * Two things can be wrong with a provider, and they cost it different things.
 * - It gives no answer (`failed`, `throttled`): the circuit is open, and nothing is asked until the backoff is over.
 * - Its answers are doubted (`doubted`: invalid, outvoted, behind, slow): the circuit is half-open at once. A vote
 *   needs equal reports anyway, so its vote still counts: with two providers, finality would stop without it.
 * A half-open provider votes and reads last. After the backoff, a vote that the quorum shares closes the circuit.
 */
export class CircuitBreaker {
  readonly #world: World;
  #reason: string | null = null;
  #isSilent = false;
  #failuresInRow = 0;
  #backoffMs = 0;
  #untilMs = 0;
  #closedAtMs = 0;
  #disagreements = 0;

  constructor(world: World) {
    this.#world = world;
  }

  get circuit(): Circuit {
    if (this.#reason === null) return 'closed';
    return this.#isSilent && !this.isProbing ? 'open' : 'half-open';
  }

  /** Why the circuit is not closed; null while it is closed. */
  get reason(): string | null {
    return this.#reason;
  }

  /** Whether the circuit is half-open with its backoff over, so that one vote decides. */
  get isProbing(): boolean {
    if (this.#reason === null) return false;
    const leftMs = this.#untilMs - this.#world.nowMs();
    // A wait that is longer than any backoff comes from a clock that was set back.
    return leftMs <= 0 || leftMs > limits.longestBackoffMs;
  }

  /** Records any answer, right or wrong: the provider is reachable. */
  answered(): void {
    this.#failuresInRow = 0;
  }

  /** Records a report that the quorum shares. */
  agreed(): void {
    if (!this.isProbing) return;
    this.#reason = null;
    this.#failuresInRow = 0;
    this.#closedAtMs = this.#world.nowMs();
  }

  /**
   * Records that no answer came: the circuit opens after some failures in a row, and at once while it is only being probed.
   */
  failed(reason: string): void {
    this.#failuresInRow++;
    if (this.isProbing || this.#failuresInRow >= limits.failuresToOpen) this.#trip(reason, true);
  }

  /** Records that the provider asks for a lower rate: the circuit opens at once. */
  throttled(reason: string): void {
    this.#trip(reason, true);
  }

  /** How often the quorum reported something else than this provider. */
  get disagreements(): number {
    return this.#disagreements;
  }

  outvoted(report: string): void {
    this.#disagreements++;
    this.doubted(`outvoted${report}`);
  }

  doubted(reason: string): void {
    this.#trip(reason, false);
  }

  #trip(reason: string, isSilent: boolean): void {
    const nowMs = this.#world.nowMs();
    const isClosed = this.#reason === null;
    const isWorse = isSilent && !this.#isSilent;
    // Requests that were in flight when the circuit tripped add no information.
    if (!isClosed && !this.isProbing && !isWorse) return;
    // Only a long time closed resets the backoff. Otherwise a provider that is good for just as long as its last backoff
    // would get the first backoff again each time.
    if (isClosed && nowMs - this.#closedAtMs >= limits.longestBackoffMs) this.#backoffMs = 0;
    this.#backoffMs = Math.min(limits.longestBackoffMs, Math.max(limits.firstBackoffMs, this.#backoffMs * 2));
    this.#untilMs = nowMs + this.#backoffMs;
    this.#reason = reason;
    this.#isSilent = isSilent;
    this.#failuresInRow = 0;
  }
}
