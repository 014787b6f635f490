// Reads blocks again by transaction id, because a provider's word is not enough for who sent a transfer that concerns us.
import { nativeCurrency } from '@ducat/core/chain/chain';
import type { Transfer } from '@ducat/core/chain/transfer';
import type { ChainBlock } from '../../chains/port/reader.ts';
import { findOurs } from '../../db/tables/addresses.ts';
import { readOpenTxIds } from '../../db/tables/outgoing/inclusions.ts';
import type { LeasedChain } from './parts.ts';
import type { NamedBlocks } from './read-ahead.ts';

/**
 * Reads a block again in two cases.
 * - The block shows a native transfer from us or to us, and the query did not name its transaction. No root covers the
 *   sender, so reading by name recovers the sender from the signature. Otherwise a payment could be taken for a transfer of
 *   ours, or the reverse.
 * - Transactions of ours were signed since the query was made. A transaction is signed before its block exists, so one check
 *   after the reading finds all of them.
 * A block that was replaced meanwhile ends the range. Senders in a block that does not prove itself are left to the quorum.
 */
export async function withOwnSenders(
  { chain, reader }: LeasedChain,
  { blocks, txIds: named }: NamedBlocks,
): Promise<readonly ChainBlock[]> {
  const { definition } = chain;
  const { currencies, family, name } = definition;
  const native = nativeCurrency(definition).currencyId;
  const unnamedIn = ({ isProven, transfers }: ChainBlock): readonly Transfer[] =>
    isProven ? transfers.filter(({ amount, txId }) => amount.currencyId === native && !named.has(txId)) : [];
  const sides = blocks.flatMap(unnamedIn).flatMap(({ from, to }) => [from, to]);
  const ours = await findOurs(reader, family, new Set(sides));
  const open = await readOpenTxIds(reader, name);
  // mark: signed-while-blocks-were-read
  const isNewer = [...open].some((txId) => !named.has(txId));
  if (ours.size === 0 && !isNewer) return blocks;
  const checked: ChainBlock[] = [];
  for (const block of blocks) {
    const ofOurs = unnamedIn(block).filter(({ from, to }) => ours.has(from) || ours.has(to));
    const isRead = ofOurs.length === 0 && !isNewer;
    const txIds = new Set([...named, ...open, ...ofOurs.map(({ txId }) => txId)]);
    const again = isRead ? block : await chain.block(block.header.number, { currencies, txIds });
    if (again?.header.hash !== block.header.hash) break;
    checked.push(again);
  }
  return checked;
}
