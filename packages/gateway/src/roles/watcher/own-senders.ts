// Whether an address of ours sent something is not taken from a report: blocks are read again by the names of transactions.
import { nativeCurrency } from '@ducat/core/chain/chain';
import type { Transfer } from '@ducat/core/chain/transfer';
import type { ChainBlock } from '../../chains/port/reader.ts';
import { findOurs } from '../../db/tables/addresses.ts';
import { readOpenTxIds } from '../../db/tables/outgoing/inclusions.ts';
import type { LeasedChain } from './parts.ts';
import type { NamedBlocks } from './read-ahead.ts';

/**
 * Reads a block again where it shows a native transfer from us or to us that it was not asked for by name: then the
 * sender is recovered from the signature, as no root covers it, so that neither a payment is taken for a move of ours nor
 * the other way round. And where transactions of ours were signed since it was asked for the others: what a block holds
 * was signed before the block was there, so one look after the reading finds all. A block that is another one by now ends
 * the range. Senders in a block that proves nothing of itself are left to the quorum.
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
