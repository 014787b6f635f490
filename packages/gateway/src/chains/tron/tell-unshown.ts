// A block whose transactions an endpoint cannot show: the header that it proves, and the tokens that its receipts log.
import { type Asked } from './ask-receipts.ts';
import { expectReadable, tokensOf } from './judge-block.ts';
import { type ToldBlock, unlessUnshown } from './read-block.ts';
import { readAnyReceipts } from './receipts.ts';
import type { Unshown } from './unshown-blocks.ts';
import type { Watched } from './watched.ts';

/**
 * By this endpoint alone no coin of the chain in it counts, as no root can be made of what is not shown. Tokens are as
 * good as in any other block, where logs are in no root either: they count by the word of two. Throws Outage where the
 * endpoint fails otherwise than by what is in the block.
 */
export async function tellUnshown(
  asked: Asked,
  chain: string,
  { proven, reason }: Unshown,
  watched: Watched,
): Promise<ToldBlock> {
  const { header } = proven;
  const { receipts, unshownReceipts } = await unlessUnshown(readAnyReceipts(asked, proven));
  if (receipts !== null) expectReadable(receipts, watched);
  const transfers = tokensOf({ chain, header, watched }, receipts ?? []);
  const block = { header, transfers, untraced: [{ txId: null, reason }] };
  return { block, body: null, unproven: null, receipts, unshownReceipts };
}
