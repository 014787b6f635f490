// An endpoint that told another block than two others call final: it proves that it is back before it is used again.
import { Outage } from '../../runtime/outage.ts';
import { BehindHead } from './behind-head.ts';

/** For so long it is asked last, whatever it proves: one that tells now this and now that can prove everything. */
const asideMs = 3_600_000;

/** An honest one that saw a fork tells this and then that as well, but not so often within that time. */
const mostShifts = 2;

/** Throws Outage where the endpoint does not show the block that it should. */
export type Proof = () => Promise<void>;

export class AstrayWatch {
  #reason: string | null = null;
  #sinceMs = 0;
  #proof: Proof | null = null;
  #shiftedAtMs: readonly number[] = [];

  /** It told what is not on the chain; `proof` is what it has to show before it is used again. */
  noteAstray(nowMs: number, reason: string, proof: Proof): void {
    this.#reason = reason;
    this.#sinceMs = nowMs;
    this.#proof = proof;
  }

  /** It told what is not on the chain, and tells now what is. */
  noteShift(nowMs: number, reason: string): void {
    const lately = this.#shiftedAtMs.filter((atMs) => Math.abs(nowMs - atMs) < asideMs);
    this.#shiftedAtMs = [...lately, nowMs].slice(-mostShifts);
    if (lately.length < mostShifts) return;
    this.#reason = reason;
    this.#sinceMs = nowMs;
  }

  isAside(nowMs: number): boolean {
    return this.#reason !== null && Math.abs(nowMs - this.#sinceMs) < asideMs;
  }

  /** What is wrong, in words; null where nothing is. */
  trouble(nowMs: number): string | null {
    return this.isAside(nowMs) ? `${this.#reason}; it is asked last for an hour` : null;
  }

  /** Throws Outage as long as it does not show what it should. */
  async prove(): Promise<void> {
    const proof = this.#proof;
    if (proof === null) return;
    try {
      await proof();
    } catch (error) {
      // Else it would be asked again and again, as one that is behind for a moment is.
      throw error instanceof BehindHead ? new Outage(error.message, { retryable: true }) : error;
    }
    if (this.#proof === proof) this.#proof = null;
  }
}
