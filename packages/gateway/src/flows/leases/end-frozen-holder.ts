// Ends the database sessions of a holder that shows no life, where its open transaction keeps its lease from others.
import { endTransactionsUnder, isSameLease, type Lease, readLease } from '../../db/tables/leases.ts';
import type { Tx } from '../../db/postgres/tx.ts';

/** Returns how many sessions were ended; 0 where the holder has renewed its lease since `dead` was read. */
export async function endFrozenHolder(tx: Tx, name: string, dead: Lease): Promise<number> {
  const lease = await readLease(tx, name);
  if (lease === null || !isSameLease(lease, dead)) return 0;
  return endTransactionsUnder(tx, name);
}
