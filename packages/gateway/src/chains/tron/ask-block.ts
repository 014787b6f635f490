// Asks for a block with its transactions, and finds out what it means where an endpoint does not show them.
import { TooMuch } from '../endpoint/too-much.ts';
import { headerAt, type TronEndpoint, type View } from './endpoint.ts';
import { type NodeApi, NodeError } from './node-api.ts';
import { UnshownBlock } from './unshown-blocks.ts';

/** Every node can show it: nobody could pay anything into the first block after genesis of a public chain. */
export const plainBlock = 1;

/**
 * The answer. A payer can have bytes mined that the node's JSON cannot be made
 * of, or becomes too large: throws UnshownBlock where the endpoint proves the header and shows another block, as then
 * it is only this one. Else the endpoint is broken, and it throws what went wrong.
 */
export async function askBlock(
  endpoint: TronEndpoint,
  view: View,
  api: NodeApi,
  number: number,
): Promise<unknown> {
  try {
    return await api('getblockbynum', { num: number });
  } catch (error) {
    if (!isOfContent(error)) throw error;
    const proven = await headerAt(api, number);
    if (proven === null) throw error;
    await api('getblockbynum', { num: plainBlock });
    const isTooMuch = error instanceof TooMuch;
    const isLate = isTooMuch && error.isLate;
    throw new UnshownBlock({
      proven,
      reason: isTooMuch ? 'oversized-block' : 'unprintable-block',
      answer: error.message,
      outlasted: endpoint.unshown.note({ view, hash: proven.header.hash, part: 'body' }, isLate),
    });
  }
}

/** Whether what a payer wrote can be the reason that a node fails so. */
export function isOfContent(error: unknown): error is NodeError | TooMuch {
  return error instanceof NodeError || error instanceof TooMuch;
}
