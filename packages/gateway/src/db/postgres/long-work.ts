// Connections that stay at work: their host may have vanished without a word, and another one may be the primary by now.
import type pg from 'pg';
import type { Sleep } from './in-doubt-commits.ts';

const LOOK_EVERY_MS = 5_000;
/** Looks in a row that find the same work, which is from 5 to 10 s of it. */
const LOOKS = 2;

export class LongWork {
  /** Each connection that is at work, and how many looks have found it. */
  readonly #looks = new Map<pg.PoolClient, number>();

  watch(pool: pg.Pool): void {
    pool.on('acquire', (client) => void this.#looks.set(client, 0));
    pool.on('release', (_, client) => void this.#looks.delete(client));
  }

  /** Calls `onLong` at each look that finds long work. Ends when the sleep is aborted. */
  async look(sleep: Sleep, signal: AbortSignal, onLong: () => void): Promise<void> {
    for (;;) {
      await sleep(LOOK_EVERY_MS, signal);
      if (signal.aborted) return;
      for (const [client, looks] of this.#looks) this.#looks.set(client, looks + 1);
      if ([...this.#looks.values()].some((looks) => looks >= LOOKS)) onLong();
    }
  }
}
