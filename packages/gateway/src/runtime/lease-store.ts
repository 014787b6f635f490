// Where a process reads, takes and renews its leases.
import { renewLeases } from '../flows/leases/renew-leases.ts';
import type { NamedLease } from '../db/tables/leases.ts';
import { mayBeOfOne, type Reader, type Transact } from '../db/postgres/tx.ts';
import { createBatches } from './batches.ts';
import { nextTurn } from './world.ts';

/** How often a holder renews its lease, and how often a standby reads it. */
export const RENEW_EVERY_MS = 1_500;

/** More leases than any process holds. */
const MAX_RENEWED = 1_000;

export interface LeaseStore {
  readonly transact: Transact;
  readonly reader: Reader;
  /** Whether the lease is still held, which is renewed then. Renewals at the same moment share a statement. */
  readonly renew: (lease: NamedLease) => Promise<boolean>;
}

/**
 * The store of one process. Each run of renewals is one statement, so that a process that freezes in it leaves no lock for
 * others to wait for.
 */
export function createLeaseStore({ transact, reader }: Pick<LeaseStore, 'transact' | 'reader'>): LeaseStore {
  const renew = createBatches(
    (leases: readonly NamedLease[]) => transact((tx) => renewLeases(tx, leases), 'one-statement'),
    { items: MAX_RENEWED, runs: 1, mayBeOfOne, gather: nextTurn },
  );
  return { transact, reader, renew };
}
