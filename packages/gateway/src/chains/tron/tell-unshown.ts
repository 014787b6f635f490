// A block whose transactions an endpoint cannot show: the header that it proves, and the tokens that its receipts log.
import type { Transfer } from '@ducat/core/chain/transfer';
import { amountOf } from '@ducat/core/money/amount';
import { LyingNode } from '../endpoint/lying-node.ts';
import { isOfContent } from './ask-block.ts';
import { askReceipts } from './ask-receipts.ts';
import type { ProvenHeader } from './block-header.ts';
import type { NodeApi } from './node-api.ts';
import { digestOf, heightOf, hexOf, integerOf, type Json, listOf } from './node-json.ts';
import type { ToldBlock } from './read-block.ts';
import { saysSuccess } from './receipts.ts';
import { tokenMovements } from './token-transfers.ts';
import type { Unshown } from './unshown-blocks.ts';
import type { Watched } from './watched.ts';

/**
 * No coin of the chain in it counts, whoever tells it, as no root can be made of what is not shown. Tokens are as
 * good as in any other block, where logs are in no root either: they count by the word of two. Throws Outage where
 * the endpoint fails otherwise than by what is in the block.
 */
export async function tellUnshown(
  api: NodeApi,
  chain: string,
  { proven, reason }: Unshown,
  { tokens }: Watched,
): Promise<ToldBlock> {
  const receipts = await receiptsOf(api, proven);
  const { header } = proven;
  const transfers = receipts.flatMap((receipt): readonly Transfer[] => {
    const logs = listOf(receipt['log'], 'logs');
    if (!saysSuccess({ json: receipt, logs, internal: [] })) return [];
    const txId = hexOf(receipt['id'], 'the id of a receipt', 32);
    return tokenMovements(logs, tokens).movements.map(({ currency, units, position, from, to }) => {
      const amount = amountOf(currency.currencyId, units);
      return { chain, txId, block: header, position, from, to, amount };
    });
  });
  const told = receipts.map((receipt) => ({ ...receipt, internal_transactions: null }));
  return {
    block: { header, transfers, untraced: [{ txId: null, reason }] },
    unproven: digestOf(['unshown', told]),
  };
}

/** Of this block, each of another transaction; none where they are too much or cannot be shown either. */
async function receiptsOf(api: NodeApi, { header, timestampMs }: ProvenHeader): Promise<readonly Json[]> {
  const { number } = header;
  const receipts = await askReceipts(api, number, []).catch((error: unknown) => {
    if (isOfContent(error)) return [];
    throw error;
  });
  const ids = new Set<string>();
  for (const receipt of receipts) {
    ids.add(hexOf(receipt['id'], 'the id of a receipt', 32));
    const isThere = heightOf(receipt['blockNumber']) === number;
    if (!isThere || integerOf(receipt['blockTimeStamp'], 'a block time') !== timestampMs)
      throw new LyingNode(`a receipt of block ${number} is from another block`);
  }
  if (ids.size < receipts.length) throw new LyingNode(`the receipts of block ${number} repeat a transaction`);
  return receipts;
}
