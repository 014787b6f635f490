// Takes a lease that is free, or whose holder has stopped renewing it.
import { isSameLease, type Lease, lockLease, writeLease } from '../../db/tables/leases.ts';
import type { Tx } from '../../db/postgres/tx.ts';

export interface TakeLease {
  readonly name: string;
  /** The name of the process, for people to read. */
  readonly holder: string;
  /** The lease as it was last read, where its holder counts as dead; null to take only a free lease. */
  readonly dead: Lease | null;
  readonly nowMs: number;
}

/** Returns the fencing token to commit under; null where another process has the lease. */
export async function takeLease(tx: Tx, { name, holder, dead, nowMs }: TakeLease): Promise<number | null> {
  const lease = await lockLease(tx, name);
  const isFree = lease === null || lease.holder === null;
  const isDead = lease !== null && dead !== null && isSameLease(lease, dead);
  if (!isFree && !isDead) return null;
  const token = (lease?.token ?? 0) + 1;
  return (await writeLease(tx, { name, token, holder, nowMs })) ? token : null;
}
