// Stores a token that an operator adds, and pins its number. From the next start on, apps can switch the token on.
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

/** False where the number or the contract is taken already. */
export async function addToken(tx: Tx, token: AddToken): Promise<boolean> {
  if ((await readUsed(tx, [token.currencyId])).size > 0) return false;
  if (!(await pinUnused(tx, token)) || !(await insertAddedToken(tx, token))) return false;
  // The token is suspended where it was added and removed before.
  await resumeCurrency(tx, token.currencyId);
  // Merchants decide which currencies their apps take.
  await switchOffForAll(tx, token.currencyId);
  return true;
}
