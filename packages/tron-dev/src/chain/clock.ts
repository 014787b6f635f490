// The time of the chain: follows the machine's clock, or stands still between blocks where a genesis time was given.

/** The time between blocks on a clock that only blocks move. */
const slotMs = 3000;

export interface ClockState {
  readonly offsetMs: number;
  /** The time of the next block only. */
  readonly pinned: number | null;
}

/** All times are Unix milliseconds. */
export class DevClock {
  readonly isVirtual: boolean;
  #offsetMs = 0;
  #pinned: number | null = null;

  constructor(isVirtual: boolean) {
    this.isVirtual = isVirtual;
  }

  /** The time of a block made now on a parent of the given time. Always later than the parent. */
  blockTime(parent: number): number {
    if (this.#pinned !== null) return Math.max(parent + 1, this.#pinned);
    if (this.isVirtual) return parent + slotMs + this.#offsetMs;
    return Math.max(parent + 1, Date.now() + this.#offsetMs);
  }

  /** Called once a block was made: values for one block are used up. */
  blockMade(): void {
    this.#pinned = null;
    if (this.isVirtual) this.#offsetMs = 0;
  }

  /** Moves the time of every later block. */
  advance(ms: number): void {
    this.#offsetMs += ms;
  }

  /** Gives the next block this time. On a clock that follows the machine, later blocks continue from it. */
  pinNext(timestamp: number): void {
    this.#pinned = timestamp;
    if (!this.isVirtual) this.#offsetMs = timestamp - Date.now();
  }

  get state(): ClockState {
    return { offsetMs: this.#offsetMs, pinned: this.#pinned };
  }

  restore(state: ClockState): void {
    this.#offsetMs = state.offsetMs;
    this.#pinned = state.pinned;
  }
}
