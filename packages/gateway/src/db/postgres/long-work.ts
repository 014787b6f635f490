// Decides when to look for the primary: once a minute, and sooner where a connection is busy for long, because its host may
// have vanished.
import type pg from 'pg';
import type { Sleep } from './in-doubt-commits.ts';

const LOOK_EVERY_MS = 5_000;
/** Work is long once this many checks in a row have found it, which is after 5 to 10 s. */
const LOOKS = 2;
/** Connections may be older than a minute, and none of them shows that a name leads to another server by now. */
const DISCOVER_EVERY_MS = 60_000;

export class LongWork {
  /** Each connection that is busy, with the number of checks that have found it. */
  readonly #looks = new Map<pg.PoolClient, number>();

  watch(pool: pg.Pool): void {
    pool.on('acquire', (client) => void this.#looks.set(client, 0));
    pool.on('release', (_, client) => void this.#looks.delete(client));
  }

  /** Calls `discover` once a minute, and at each check that finds long work. Ends when the signal is aborted. */
  async look(sleep: Sleep, signal: AbortSignal, discover: () => void): Promise<void> {
    for (let sinceMs = LOOK_EVERY_MS; ; sinceMs += LOOK_EVERY_MS) {
      await sleep(LOOK_EVERY_MS, signal);
      if (signal.aborted) return;
      for (const [client, looks] of this.#looks) this.#looks.set(client, looks + 1);
      const isLong = [...this.#looks.values()].some((looks) => looks >= LOOKS);
      if (!isLong && sinceMs < DISCOVER_EVERY_MS) continue;
      sinceMs = 0;
      discover();
    }
  }
}
