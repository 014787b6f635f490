// Finds connections that are busy for long: their host may have vanished, and another host may be the primary by now.
import type pg from 'pg';
import type { Sleep } from './in-doubt-commits.ts';

const LOOK_EVERY_MS = 5_000;
/** Work is long once this many checks in a row have found it, which is after 5 to 10 s. */
const LOOKS = 2;

export class LongWork {
  /** Each connection that is busy, with the number of checks that have found it. */
  readonly #looks = new Map<pg.PoolClient, number>();

  watch(pool: pg.Pool): void {
    pool.on('acquire', (client) => void this.#looks.set(client, 0));
    pool.on('release', (_, client) => void this.#looks.delete(client));
  }

  /** Calls `onLong` at each check that finds long work. Ends when the signal is aborted. */
  async look(sleep: Sleep, signal: AbortSignal, onLong: () => void): Promise<void> {
    for (;;) {
      await sleep(LOOK_EVERY_MS, signal);
      if (signal.aborted) return;
      for (const [client, looks] of this.#looks) this.#looks.set(client, looks + 1);
      if ([...this.#looks.values()].some((looks) => looks >= LOOKS)) onLong();
    }
  }
}
