// Lets the collection of a frozen holding be retried, after a person has looked at it.
import type { Tx } from '../../db/postgres/tx.ts';
import { thaw } from '../../db/tables/collections/holdings.ts';

/** False where nothing of this currency is frozen at the address. */
export function thawHolding(
  tx: Tx,
  where: { readonly chain: string; readonly address: string; readonly currencyId: number },
  nowMs: number,
): Promise<boolean> {
  return thaw(tx, where, nowMs);
}
