// Keeps a chain that an operator adds, and pins what its coin's number means; it counts from the next start, for apps that switch it on.
import { type AddedChainRow, insertAddedChain } from '../../db/tables/added-chains.ts';
import { switchOffForAll } from '../../db/tables/apps.ts';
import { pinNew } from '../../db/tables/currencies.ts';
import type { Tx } from '../../db/postgres/tx.ts';

export interface AddChain extends AddedChainRow {
  readonly coin: { readonly currencyId: number; readonly symbol: string; readonly decimals: number };
}

/** False where the name, the chain id or the number means something already. */
export async function addChain(tx: Tx, { coin, ...row }: AddChain): Promise<boolean> {
  const isNew =
    (await pinNew(tx, { ...coin, chain: row.chain, contract: '' })) && (await insertAddedChain(tx, row));
  // What an app takes is for its merchant to say.
  if (isNew) await switchOffForAll(tx, coin.currencyId);
  return isNew;
}
