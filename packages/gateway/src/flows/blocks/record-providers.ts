// Adds how the providers of a chain did since the last call to the counts of the day. Only the watching process writes.
import { dayOf } from '@ducat/core/reserves/day';
import {
  addProviderCounts,
  deleteProviderDays,
  type ProviderDay,
} from '../../db/tables/operating/provider-days.ts';
import { isHeldBy, watchLease } from '../../db/tables/leases.ts';
import type { Tx } from '../../db/postgres/tx.ts';

/** How many days an operator can look back. */
const KEPT_DAYS = 90;

export interface RecordProviders {
  readonly chain: string;
  readonly holder: string;
  readonly nowMs: number;
  readonly providers: readonly Omit<ProviderDay, 'day' | 'chain' | 'atMs'>[];
}

/** False where another process watches the chain: only the counts of the watching process are kept. */
export async function recordProviders(
  tx: Tx,
  { chain, holder, nowMs, providers }: RecordProviders,
): Promise<boolean> {
  if (!(await isHeldBy(tx, watchLease(chain), holder))) return false;
  const day = dayOf(nowMs);
  for (const provider of providers) await addProviderCounts(tx, { ...provider, day, chain, atMs: nowMs });
  await deleteProviderDays(tx, chain, day - KEPT_DAYS);
  return true;
}
