// Keeps a token that an operator adds, and pins what its number means; it counts from the next start, for apps that switch it on.
import { type AddedTokenRow, insertAddedToken } from '../../db/tables/added-chains.ts';
import { switchOffForAll } from '../../db/tables/apps.ts';
import { resumeCurrency } from '../../db/tables/books/currency-suspensions.ts';
import { pinUnused, readUsed } from '../../db/tables/currencies.ts';
import type { Tx } from '../../db/postgres/tx.ts';

export interface AddToken extends AddedTokenRow {
  readonly symbol: string;
  /** Canonical. */
  readonly contract: string;
  readonly decimals: number;
}

/** False where the number or the contract means something already. */
export async function addToken(tx: Tx, token: AddToken): Promise<boolean> {
  if ((await readUsed(tx, [token.currencyId])).size > 0) return false;
  if (!(await pinUnused(tx, token)) || !(await insertAddedToken(tx, token))) return false;
  // It may have been removed before, and was suspended then.
  await resumeCurrency(tx, token.currencyId);
  // What an app takes is for its merchant to say.
  await switchOffForAll(tx, token.currencyId);
  return true;
}
