// Keeps a chain that an operator adds, and pins what its coin's number means; it counts from the next start, for apps that switch it on.
import { type AddedChainRow, insertAddedChain } from '../../db/tables/added-chains.ts';
import { switchOffForAll } from '../../db/tables/apps.ts';
import { resumeCurrency } from '../../db/tables/books/currency-suspensions.ts';
import { pinUnused, readUsed } from '../../db/tables/currencies.ts';
import type { Tx } from '../../db/postgres/tx.ts';

export interface AddChain extends AddedChainRow {
  readonly coin: { readonly currencyId: number; readonly symbol: string; readonly decimals: number };
}

/** False where the name, the chain id or the number means something already. */
export async function addChain(tx: Tx, { coin, ...row }: AddChain): Promise<boolean> {
  if ((await readUsed(tx, [coin.currencyId])).size > 0) return false;
  if (
    !(await pinUnused(tx, { ...coin, chain: row.chain, contract: '' })) ||
    !(await insertAddedChain(tx, row))
  )
    return false;
  // It may have been removed before, and was suspended then.
  await resumeCurrency(tx, coin.currencyId);
  // What an app takes is for its merchant to say.
  await switchOffForAll(tx, coin.currencyId);
  return true;
}
