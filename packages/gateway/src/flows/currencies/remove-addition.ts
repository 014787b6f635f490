// Removes a chain or token that an operator added, while its currencies were never used. Takes effect at the next start.
import { type AdditionKey, lockAddition, readAddedTokens, setRemoved } from '../../db/tables/added-chains.ts';
import { suspendCurrency } from '../../db/tables/books/currency-suspensions.ts';
import { readPinnedOf, readUsed } from '../../db/tables/currencies.ts';
import type { Tx } from '../../db/postgres/tx.ts';

export interface RemoveAddition {
  readonly key: AdditionKey;
  /** Merchants read the reason in the refusal of order/create until the next start. */
  readonly reason: string;
  readonly nowMs: number;
}

/** Removing a chain also removes the tokens that were added to it. Its currencies are suspended until the next start. */
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
