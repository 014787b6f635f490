// Which currencies are suspended, so that orders need no query for it. They are read again every second, or each three seconds
// while all chains are idle.
import type { Reader } from '../db/postgres/tx.ts';
import { readSuspensions } from '../db/tables/books/currency-suspensions.ts';
import type { IdleChains, RestBounds } from '../runtime/idle-chains.ts';
import type { Log } from '../runtime/log.ts';
import { Outage } from '../runtime/outage.ts';
import type { World } from '../runtime/world.ts';

const READ_EVERY_MS = 1_000;
const IDLE_REST: RestBounds = { least: 3_000, most: 3_000 };

export interface Suspensions {
  /** Null where the currency is not suspended. */
  reasonFor(currencyId: number): string | null;
  /** Reads the suspensions once. Throws Outage where the database is away. */
  read(): Promise<void>;
  /** Reads the suspensions until the signal. While the database is away the last ones hold; no order can be made then. */
  run(signal: AbortSignal): Promise<void>;
}

export function createSuspensions(
  reader: Reader,
  world: World,
  log: Log,
  idle: Pick<IdleChains, 'rest'>,
): Suspensions {
  let reasons: ReadonlyMap<number, string> = new Map();
  const read = async () => {
    const suspended = await readSuspensions(reader);
    reasons = new Map(suspended.map(({ currencyId, reason }) => [currencyId, reason]));
  };
  return {
    reasonFor: (currencyId) => reasons.get(currencyId) ?? null,
    read,
    run: async (signal) => {
      while (!signal.aborted) {
        try {
          await read();
        } catch (error) {
          if (!(error instanceof Outage)) throw error;
          log.debug({ error }, 'suspended currencies cannot be read');
        }
        if (!(await idle.rest(null, IDLE_REST, signal))) await world.sleep(READ_EVERY_MS, signal);
      }
    },
  };
}
