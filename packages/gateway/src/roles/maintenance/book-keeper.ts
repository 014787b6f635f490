// Checks the books again and again, in a loop of its own: a slow node must not hold up the rounds of maintenance.
import type { ChainReader } from '../../chains/port/reader.ts';
import type { Log } from '../../runtime/log.ts';
import { Outage } from '../../runtime/outage.ts';
import type { Reader } from '../../db/postgres/tx.ts';
import type { World } from '../../runtime/world.ts';
import { type BookCheck, checkBooks } from './check-books.ts';

export interface BookKeeper {
  readonly chains: readonly ChainReader[];
  readonly reader: Reader;
  readonly world: World;
  readonly log: Log;
  readonly everyMs: number;
  readonly onBookCheck: (check: BookCheck) => void;
}

/** Runs until the signal; an outage leaves the check for the next time. */
export async function runBookKeeper(keeper: BookKeeper, signal: AbortSignal): Promise<void> {
  const { chains, reader, world, log, everyMs, onBookCheck } = keeper;
  for (;;) {
    await world.sleep(everyMs, signal);
    if (signal.aborted) return;
    try {
      onBookCheck(await checkBooks(reader, chains, log));
    } catch (error) {
      if (!(error instanceof Outage)) throw error;
      log.warn({ error }, 'the books could not be checked this time');
    }
  }
}
