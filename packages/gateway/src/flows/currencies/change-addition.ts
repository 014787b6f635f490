// Changes what an operator added, as long as nothing was ever taken in it; it counts from the next start.
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
  /** Of a chain; null for a token. Another id is another chain. */
  readonly chainId: number | null;
}

/**
 * A stolen session could otherwise point one with money on it to nodes that report made-up payments. So that start looks
 * again, and where something was taken in it meanwhile, what it was before counts on.
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
