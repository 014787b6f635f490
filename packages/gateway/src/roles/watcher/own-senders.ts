// That value left an address of ours is not taken from a report: no root covers who sent a native transfer.
import { nativeCurrency } from '@ducat/core/chain/chain';
import type { Transfer } from '@ducat/core/chain/transfer';
import type { ChainBlock } from '../../chains/port/reader.ts';
import { findOurs } from '../../db/tables/addresses.ts';
import type { LeasedChain } from './parts.ts';

/**
 * Reads a block again where it shows a native transfer from us, this time naming the transaction: then its sender is
 * recovered from the signature. A block that is another one by now ends the range. A block that proves nothing of itself
 * is left to the quorum, which compares senders too.
 */
export async function withOwnSenders(
  { chain, reader }: LeasedChain,
  blocks: readonly ChainBlock[],
): Promise<readonly ChainBlock[]> {
  const { definition } = chain;
  const { currencies, family } = definition;
  const native = nativeCurrency(definition).currencyId;
  const nativeIn = ({ isProven, transfers }: ChainBlock): readonly Transfer[] =>
    isProven ? transfers.filter(({ amount }) => amount.currencyId === native) : [];
  const ours = await findOurs(reader, family, new Set(blocks.flatMap(nativeIn).map(({ from }) => from)));
  if (ours.size === 0) return blocks;
  const checked: ChainBlock[] = [];
  for (const block of blocks) {
    const txIds = new Set(nativeIn(block).flatMap(({ from, txId }) => (ours.has(from) ? [txId] : [])));
    const again = txIds.size === 0 ? block : await chain.block(block.header.number, { currencies, txIds });
    if (again?.header.hash !== block.header.hash) break;
    checked.push(again);
  }
  return checked;
}
