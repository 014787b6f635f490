// Snapshots of the chain, which the programmatic and the HTTP controls share.
import type { Chain, ChainState } from '../chain/chain.ts';
import type { ClockState } from '../chain/clock.ts';

interface Snapshot {
  readonly state: ChainState;
  readonly clock: ClockState;
}

/** A snapshot is two references, because state is immutable. */
export class Snapshots {
  readonly #chain: Chain;
  readonly #kept = new Map<number, Snapshot>();
  #last = 0;

  constructor(chain: Chain) {
    this.#chain = chain;
  }

  /** Keeps blocks, state, pool and clock. Returns the number for `restore`. */
  take(): number {
    this.#last += 1;
    this.#kept.set(this.#last, { state: this.#chain.state, clock: this.#chain.clock.state });
    return this.#last;
  }

  /** Restores the snapshot, which stays usable. Later snapshots are gone. */
  restore(number: number): Promise<void> {
    const kept = this.#kept.get(number);
    if (kept === undefined) return Promise.reject(new Error(`there is no snapshot ${number}`));
    for (const id of this.#kept.keys()) if (id > number) this.#kept.delete(id);
    return this.#chain.exclusively(() => {
      this.#chain.clock.restore(kept.clock);
      this.#chain.replace(kept.state, [...kept.state.ledger.blocks.values()]);
      return Promise.resolve();
    });
  }
}
