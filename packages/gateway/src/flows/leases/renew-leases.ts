// Renews leases, which shows the standbys that their holders live.
import { countRenewals, type NamedLease } from '../../db/tables/leases.ts';
import type { Tx } from '../../db/postgres/tx.ts';

/** Returns for each lease, in their order, whether it is still held under its token. */
export async function renewLeases(tx: Tx, leases: readonly NamedLease[]): Promise<readonly boolean[]> {
  const held = await countRenewals(tx, leases);
  return leases.map(({ name }) => held.has(name));
}
