// Removes what an operator added, as long as nothing was ever taken in it; it goes with the next start.
import { type AdditionKey, lockAddition, readAddedTokens, setRemoved } from '../../db/tables/added-chains.ts';
import { suspendCurrency } from '../../db/tables/books/currency-suspensions.ts';
import { readPinnedOf, readUsed } from '../../db/tables/currencies.ts';
import type { Tx } from '../../db/postgres/tx.ts';

export interface RemoveAddition {
  readonly key: AdditionKey;
  /** Merchants read it in the refusal of order/create until then. */
  readonly reason: string;
  readonly nowMs: number;
}

/** With a chain go the tokens that were added to it. Until the start its currencies are suspended. */
export async function removeAddition(
  tx: Tx,
  { key, reason, nowMs }: RemoveAddition,
): Promise<'removed' | 'unknown' | 'used'> {
  if (!(await lockAddition(tx, key))) return 'unknown';
  const pinned = await readPinnedOf(tx, key);
  if ((await readUsed(tx, pinned)).size > 0) return 'used';
  await setRemoved(tx, key, nowMs);
  if (key.currencyId === null)
    for (const token of await readAddedTokens(tx))
      if (token.chain === key.chain) await setRemoved(tx, token, nowMs);
  for (const currencyId of pinned) await suspendCurrency(tx, currencyId, reason, nowMs);
  return 'removed';
}
