// Keeps a token that an operator adds, and pins what its number means; it counts from the next start.
import { type AddedTokenRow, insertAddedToken } from '../../db/tables/added-chains.ts';
import { pinNew } from '../../db/tables/currencies.ts';
import type { Tx } from '../../db/postgres/tx.ts';

export interface AddToken extends AddedTokenRow {
  readonly symbol: string;
  /** Canonical. */
  readonly contract: string;
  readonly decimals: number;
}

/** False where the number or the contract means something already. */
export async function addToken(tx: Tx, token: AddToken): Promise<boolean> {
  return (await pinNew(tx, token)) && insertAddedToken(tx, token);
}
