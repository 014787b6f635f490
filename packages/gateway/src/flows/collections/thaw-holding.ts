// Lets a frozen holding be tried again, after a person has looked.
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
