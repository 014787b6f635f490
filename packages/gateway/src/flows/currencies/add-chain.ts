// Stores a chain that an operator adds, and pins its coin's number. From the next start on, apps can switch the chain on.
import { type AddedChainRow, insertAddedChain } from '../../db/tables/added-chains.ts';
import { switchOffForAll } from '../../db/tables/apps.ts';
import { resumeCurrency } from '../../db/tables/books/currency-suspensions.ts';
import { pinUnused, readUsed } from '../../db/tables/currencies.ts';
import type { Tx } from '../../db/postgres/tx.ts';

export interface AddChain extends AddedChainRow {
  readonly coin: { readonly currencyId: number; readonly symbol: string; readonly decimals: number };
}

/** False where the name, the chain id or the number is taken already. */
export async function addChain(tx: Tx, { coin, ...row }: AddChain): Promise<boolean> {
  if ((await readUsed(tx, [coin.currencyId])).size > 0) return false;
  if (
    !(await pinUnused(tx, { ...coin, chain: row.chain, contract: '' })) ||
    !(await insertAddedChain(tx, row))
  )
    return false;
  // The coin is suspended where the chain was added and removed before.
  await resumeCurrency(tx, coin.currencyId);
  // Merchants decide which currencies their apps take.
  await switchOffForAll(tx, coin.currencyId);
  return true;
}
