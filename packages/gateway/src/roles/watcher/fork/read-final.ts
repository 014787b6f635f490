// Reads one final block that the books never read: the block proves itself, or a quorum reports the same contents.
import type { ChainBlock, ChainReader, SelectOurs } from '../../../chains/port/reader.ts';

/**
 * The block, reduced to these transactions; null while no quorum calls a block of this height final. Throws `Outage` where
 * no quorum answers, or where providers report different things.
 */
export async function readFinal(
  chain: Pick<ChainReader, 'definition' | 'finalBlock' | 'block' | 'finalContents'>,
  number: number,
  txIds: ReadonlySet<string>,
): Promise<ChainBlock | null> {
  const agreed = await chain.finalBlock(number);
  if (agreed?.number !== number) return null;
  const query = { currencies: chain.definition.currencies, txIds };
  const selectOurs: SelectOurs = (block) =>
    Promise.resolve({
      ...block,
      transfers: block.transfers.filter(({ txId }) => txIds.has(txId)),
      proposals: [],
      inclusions: block.inclusions.filter(({ txId }) => txIds.has(txId)),
    });
  const served = await chain.block(number, query);
  // mark: a-skipped-block-is-proven
  if (served?.isProven === true && served.header.hash === agreed.hash) return selectOurs(served);
  const reported = await chain.finalContents(number, query, selectOurs);
  return reported.header.hash === agreed.hash ? reported : null;
}
