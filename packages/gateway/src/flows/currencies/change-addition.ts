// Changes what an operator added, as long as nothing was ever taken in it; it counts from the next start.
import {
  type AdditionKey,
  lockAddition,
  readAddedChains,
  updateSealed,
} from '../../db/tables/added-chains.ts';
import { pinUnused, type PinnedCurrency, readPinnedOf, readUsed } from '../../db/tables/currencies.ts';
import type { Tx } from '../../db/postgres/tx.ts';

export interface ChangeAddition {
  readonly key: AdditionKey;
  readonly sealed: Buffer;
  /** Of a chain; null for a token. Another id is another chain. */
  readonly chainId: number | null;
  /** The token, or the coin of the chain. */
  readonly currency: PinnedCurrency;
}

/** A stolen session could otherwise point one with money on it to nodes that report made-up payments. */
export async function changeAddition(
  tx: Tx,
  { key, sealed, chainId, currency }: ChangeAddition,
): Promise<'changed' | 'unknown' | 'used' | 'other-chain'> {
  if (!(await lockAddition(tx, key))) return 'unknown';
  const chains = await readAddedChains(tx);
  const known = chains.find(({ chain }) => chain === key.chain);
  if (chainId !== null && known?.chainId !== chainId) return 'other-chain';
  const pinned = await readPinnedOf(tx, key);
  if ((await readUsed(tx, pinned)).size > 0 || !(await pinUnused(tx, currency))) return 'used';
  await updateSealed(tx, key, sealed);
  return 'changed';
}
