// Reads one block from one endpoint, by the view of its head or by the one that cannot change, and proves what it can.
import type { ChainBlock } from '../port.ts';
import { UnreadableBlock } from '../endpoint/unreadable-block.ts';
import type { TronEndpoint, View } from './endpoint.ts';
import { type Body, expectReadable, judgeBlock } from './judge-block.ts';
import type { NodeApi } from './node-api.ts';
import { readReceipts, type Receipt } from './receipts.ts';
import { noRoot, tellBody } from './tell-body.ts';
import { UnshownReceipts } from './unshown-blocks.ts';
import type { Watched } from './watched.ts';

/** What one endpoint told of a block. */
export interface ToldBlock {
  /** As far as this endpoint alone goes. */
  readonly block: ChainBlock;
  /** Null where its transactions are not shown. */
  readonly body: Body | null;
  /** The digest of all that was told of transactions that do not give the root; null where they do, or none is shown. */
  readonly unproven: string | null;
  /** Null where they are not shown, and `unshownReceipts` says so: nothing is not the same as no receipts. */
  readonly receipts: readonly Receipt[] | null;
  readonly unshownReceipts: UnshownReceipts | null;
}

/**
 * A block whose id follows from its header, and whose transactions with their results give the root of that header.
 * Logs and internal transactions are in no root: they are matched to the transactions, and the rest is the word of
 * this endpoint. Throws BehindHead where its view ends below the number, LyingNode where something does not fit, and
 * UnreadableBlock where the root cannot be rebuilt or something is not shown.
 */
export async function readBlock(
  endpoint: TronEndpoint,
  view: View,
  chain: string,
  number: number,
  watched: Watched,
  api?: NodeApi,
): Promise<ChainBlock> {
  const { block, unproven, unshownReceipts } = await tellBlock(endpoint, view, chain, number, watched, api);
  if (unproven !== null) throw unprovenRoot(number);
  if (unshownReceipts !== null) throw unshownReceipts;
  return block;
}

/**
 * The same, but a block whose root cannot be rebuilt, or whose receipts are not shown, is told too. The API gives no
 * bytes of a whole transaction, so its results have to be encoded from JSON, and there are results of which that cannot
 * be done. One such block must
 * not stop the chain for good: where two endpoints tell every byte of it alike, it is taken for what its header
 * proves, a block, and every transaction in it is untraced: of TRX nothing counts. Tokens do, as those two tell them,
 * because no root covers them in any block.
 */
export async function tellBlock(
  endpoint: TronEndpoint,
  view: View,
  chain: string,
  number: number,
  watched: Watched,
  api?: NodeApi,
): Promise<ToldBlock> {
  const tell = (one: NodeApi) => tellBy(one, endpoint, view, chain, number, watched);
  return api === undefined ? endpoint.withRoom(view, tell) : tell(api);
}

async function tellBy(
  api: NodeApi,
  endpoint: TronEndpoint,
  view: View,
  chain: string,
  number: number,
  watched: Watched,
): Promise<ToldBlock> {
  const { proven, body, unproven } = await tellBody(endpoint, view, api, number);
  const { receipts, unshownReceipts } = await unlessUnshown(
    readReceipts({ endpoint, view, api }, proven, body.transactions),
  );
  if (receipts?.some(({ internal }) => internal.length > 0) === true) endpoint.showsInternal = true;
  if (receipts !== null && !body.isProven) expectReadable(receipts, watched);
  return {
    block: judgeBlock({ chain, header: proven.header, watched }, body, receipts ?? []),
    body,
    unproven,
    receipts,
    unshownReceipts,
  };
}

/** The receipts, or that they are not shown. */
export async function unlessUnshown(
  reading: Promise<readonly Receipt[]>,
): Promise<Pick<ToldBlock, 'receipts' | 'unshownReceipts'>> {
  try {
    return { receipts: await reading, unshownReceipts: null };
  } catch (error) {
    if (error instanceof UnshownReceipts) return { receipts: null, unshownReceipts: error };
    throw error;
  }
}

/**
 * Not said to be a lie: the result of a transaction can hold what the node's JSON does not show as it is, and nodes
 * have kept other results than those in the block after a fork switch.
 */
export function unprovenRoot(number: number): UnreadableBlock {
  return new UnreadableBlock(noRoot(number));
}
