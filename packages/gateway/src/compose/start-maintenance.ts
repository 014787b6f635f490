// Joins maintenance to its neighbours, and the check of the books, which one of all maintenance processes does.
import { addressSchemes } from '../chains/address-schemes.ts';
import { runBookKeeper } from '../roles/maintenance/book-keeper.ts';
import { runMaintenance } from '../roles/maintenance/maintenance.ts';
import { underLease } from '../runtime/under-lease.ts';
import type { Parts } from './parts.ts';

/** How often the books are compared with the chains. */
const CHECK_BOOKS_EVERY_MS = 10 * 60_000;
/** Under which one of all maintenance processes does so: nodes are asked for the balance of every address. */
const BOOKS_LEASE = 'books';

export function startMaintenance(parts: Parts, signal: AbortSignal): Promise<void> {
  const { config, database, world, chains, encode, log, metrics } = parts;
  const maintenance = {
    chains,
    schemes: addressSchemes,
    poolSize: config.addressPoolSize,
    reuseAfterDays: new Map(
      config.chains.flatMap(({ definition, reuseAddressesAfterDays: days }) =>
        days === null ? [] : [[definition.name, days] as const],
      ),
    ),
    transact: database.transact,
    reader: database.reader,
    world,
    encode,
    newEventId: parts.newEventId,
    log,
    onBug: metrics.onBug,
  };
  return runMaintenance(maintenance, signal);
}

export function startBookKeeper(
  { chains, database, world, log, metrics, holder }: Parts,
  signal: AbortSignal,
): Promise<void> {
  const { reader } = database;
  const { onBookCheck } = metrics;
  const keeper = { chains, reader, world, log, everyMs: CHECK_BOOKS_EVERY_MS, onBookCheck };
  const onLease = (_: string, held: boolean) => metrics.onBookLease(held);
  const lease = { name: BOOKS_LEASE, holder, ...database.apart, world, log, onLease };
  // It only reads, so two at once after a take-over do no harm and the token is not asked for.
  return underLease(lease, signal, (_, held) => runBookKeeper(keeper, held));
}
