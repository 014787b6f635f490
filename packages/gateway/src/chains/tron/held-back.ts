// For how long our own pace has held back what an endpoint is asked: no slowness of the endpoint's.
import type { World } from '../../runtime/world.ts';
import type { Pace } from './pace.ts';

export class HeldBack {
  readonly #world: World;
  #waiting = 0;
  #sinceMs = 0;
  #endedMs = 0;

  constructor(world: World) {
    this.#world = world;
  }

  /** In milliseconds so far; where several wait at the same time, that time counts once. */
  totalMs(): number {
    return this.#endedMs + (this.#waiting > 0 ? this.#spanMs() : 0);
  }

  /** Waits for the pace, and counts it. Throws as the pace does. */
  async wait(pace: Pace): Promise<void> {
    if (this.#waiting === 0) this.#sinceMs = this.#world.nowMs();
    this.#waiting++;
    try {
      await pace();
    } finally {
      if (this.#waiting === 1) this.#endedMs += this.#spanMs();
      this.#waiting--;
    }
  }

  #spanMs(): number {
    return Math.max(0, this.#world.nowMs() - this.#sinceMs);
  }
}
