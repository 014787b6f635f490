// Starts maintenance, and the checks of the books, which one process makes under a lease.
import { addressSchemes } from '../chains/address-schemes.ts';
import { CHECKS_LEASE } from '../flows/checks/checks-lease.ts';
import { runBookAudit } from '../roles/maintenance/audit-books.ts';
import { runReserveChecks } from '../roles/maintenance/check-reserves.ts';
import { runMaintenance } from '../roles/maintenance/maintenance.ts';
import { underLease } from '../runtime/under-lease.ts';
import type { Parts } from './parts.ts';

export function startMaintenance(parts: Parts, signal: AbortSignal): Promise<void> {
  const { config, database, world, idle, chains, rates, encode, log, metrics } = parts;
  const maintenance = {
    chains,
    schemes: addressSchemes,
    poolSize: config.addressPoolSize,
    retention: config.retention,
    reuseAfterDays: new Map(
      config.chains.flatMap(({ definition, reuseAddressesAfterDays: days }) =>
        days === null ? [] : [[definition.name, days] as const],
      ),
    ),
    transact: database.transact,
    reader: database.reader,
    rates: rates.source,
    world,
    idle,
    encode,
    newEventId: parts.newEventId,
    log,
    onBug: metrics.onBug,
  };
  return runMaintenance(maintenance, signal);
}

/** Balances and postings are checked in parallel, so that the audit does not wait for a chain that cannot be asked. */
export function startChecks(
  { chains, config, database, leases, world, idle, log, metrics, holder }: Parts,
  signal: AbortSignal,
): Promise<void> {
  const { transact, reader } = database;
  const common = { transact, reader, world, idle, log };
  const names = chains.map(({ definition }) => definition.name);
  const onLease = (_: string, held: boolean) => metrics.onChecksLease(held);
  const lease = { name: CHECKS_LEASE, holder, leases, world, log, onLease };
  return underLease(lease, signal, async (held, whileHeld) => {
    await Promise.all([
      runReserveChecks({ ...common, chains, limits: config.checks }, held, whileHeld),
      runBookAudit({ ...common, chains: names }, held, whileHeld),
    ]);
  });
}
