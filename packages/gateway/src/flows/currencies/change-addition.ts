// Changes a chain or token that an operator added, while its currencies were never used. Applies from the next start on.
import {
  type AdditionKey,
  changeSealed,
  lockAddition,
  readAddedChains,
} from '../../db/tables/added-chains.ts';
import { readPinnedOf, readUsed } from '../../db/tables/currencies.ts';
import type { Tx } from '../../db/postgres/tx.ts';

export interface ChangeAddition {
  readonly key: AdditionKey;
  readonly sealed: Buffer;
  /** The chain id of a chain; null for a token. The id cannot change, because another id is another chain. */
  readonly chainId: number | null;
}

/**
 * Refused once a currency was used: a stolen session could otherwise point a chain that holds money to nodes that report
 * made-up payments. The next start checks this again. Where a currency was used meanwhile, the start restores the old row.
 */
export async function changeAddition(
  tx: Tx,
  { key, sealed, chainId }: ChangeAddition,
): Promise<'changed' | 'unknown' | 'used' | 'other-chain'> {
  if (!(await lockAddition(tx, key))) return 'unknown';
  const chains = await readAddedChains(tx);
  const known = chains.find(({ chain }) => chain === key.chain);
  if (chainId !== null && known?.chainId !== chainId) return 'other-chain';
  if ((await readUsed(tx, await readPinnedOf(tx, key))).size > 0) return 'used';
  await changeSealed(tx, key, sealed);
  return 'changed';
}
