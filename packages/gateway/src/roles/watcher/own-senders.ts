// Whether an address of ours sent a native transfer is not taken from a report: no root covers who did.
import { nativeCurrency } from '@ducat/core/chain/chain';
import type { Transfer } from '@ducat/core/chain/transfer';
import type { ChainBlock } from '../../chains/port/reader.ts';
import { findOurs } from '../../db/tables/addresses.ts';
import type { LeasedChain } from './parts.ts';

/**
 * Reads a block again where it shows a native transfer from us or to us, this time naming the transaction: then its
 * sender is recovered from the signature, so that neither a payment is taken for a move of ours nor the other way round.
 * A block that is another one by now ends the range. A block that proves nothing of itself is left to the quorum, which
 * compares senders too.
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
  const sides = blocks.flatMap(nativeIn).flatMap(({ from, to }) => [from, to]);
  const ours = await findOurs(reader, family, new Set(sides));
  if (ours.size === 0) return blocks;
  const checked: ChainBlock[] = [];
  for (const block of blocks) {
    const concernsUs = ({ from, to }: Transfer): boolean => ours.has(from) || ours.has(to);
    const txIds = new Set(
      nativeIn(block)
        .filter(concernsUs)
        .map(({ txId }) => txId),
    );
    const again = txIds.size === 0 ? block : await chain.block(block.header.number, { currencies, txIds });
    if (again?.header.hash !== block.header.hash) break;
    checked.push(again);
  }
  return checked;
}
