// Sees that the clock was put back, and then brings forward what was put off while it was ahead.
import { bringDeliveriesForward, CLOCKS_APART_MS } from '../../flows/bring-deliveries-forward.ts';
import { Outage } from '../../outage.ts';
import type { NotifierParts } from './parts.ts';

type Parts = Pick<NotifierParts, 'transact' | 'observer' | 'world' | 'limits'>;

export class PutBackClock {
  readonly #parts: Parts;
  #lastMs: number;
  /** Behind which event to go on, by its sequence; null when there is nothing to bring forward. */
  #after: number | null = null;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#lastMs = parts.world.nowMs();
  }

  /** To be called again and again; each time brings one batch forward at most. Rejects on a bug only. */
  async look(): Promise<void> {
    const { transact, observer, world, limits } = this.#parts;
    const nowMs = world.nowMs();
    if (nowMs < this.#lastMs - CLOCKS_APART_MS) this.#after = 0;
    this.#lastMs = nowMs;
    if (this.#after === null) return;
    const batch = { nowMs, leaseMs: limits.leaseMs, after: this.#after };
    try {
      this.#after = await transact((tx) => bringDeliveriesForward(tx, batch), 'one-statement');
    } catch (error) {
      if (!(error instanceof Outage)) throw error;
      observer.onTrouble('bring-forward', error);
    }
  }
}
