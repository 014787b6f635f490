// Shows the processes that stand by that the holder of a lease lives.
import { countRenewal } from '../store/leases.ts';
import type { Tx } from '../store/tx.ts';

/** False where the lease is no longer held under this token. */
export function renewLease(tx: Tx, name: string, token: number): Promise<boolean> {
  return countRenewal(tx, name, token);
}
