// The receipts of a block, matched to its transactions by number, id, height and time.
import { LyingNode } from '../endpoint/lying-node.ts';
import { askReceipts } from './ask-receipts.ts';
import type { ProvenHeader } from './block-header.ts';
import { heightOf, hexOf, integerOf, isRecord, type Json, listOf } from './node-json.ts';
import type { NodeApi } from './node-api.ts';
import type { RawTransaction } from './raw-transaction.ts';

/** What a receipt adds to its transaction. */
export interface Receipt {
  readonly json: Json;
  readonly logs: readonly Json[];
  readonly internal: readonly Json[];
}

const success = 'SUCCESS';

/**
 * One for each transaction, in their order. A node that has not got the block yet answers with an empty list instead
 * of an error, so an empty answer is believed of an empty block only: else Outage. Throws LyingNode where a receipt
 * is of another block or transaction.
 */
export async function readReceipts(
  api: NodeApi,
  { header, timestampMs }: ProvenHeader,
  transactions: readonly RawTransaction[],
): Promise<readonly Receipt[]> {
  if (transactions.length === 0) return [];
  const { number } = header;
  const ids = transactions.map(({ id }) => id);
  const receipts = await askReceipts(api, number, ids);
  if (receipts.length !== transactions.length) {
    const counts = `${receipts.length} receipts for ${transactions.length} transactions`;
    throw new LyingNode(`answered ${counts} of block ${number}`);
  }
  return transactions.map((transaction, index) => {
    const receipt = receipts[index] ?? {};
    if (hexOf(receipt['id'], 'the id of a receipt', 32) !== transaction.id)
      throw new LyingNode(`the receipts of block ${number} are not in the order of its transactions`);
    const isThere = heightOf(receipt['blockNumber']) === number;
    if (!isThere || integerOf(receipt['blockTimeStamp'], 'a block time') !== timestampMs)
      throw new LyingNode(`a receipt of block ${number} is from another block`);
    return {
      json: receipt,
      logs: listOf(receipt['log'], 'logs'),
      internal: listOf(receipt['internal_transactions'], 'internal transactions'),
    };
  });
}

/**
 * The result stands in three places: in the transaction, where the root covers it, and twice in the receipt. A call
 * succeeded where all three say so. Where its receipt does not, it is not said to be a lie: nodes have kept receipts of
 * another branch after a fork switch, and nothing in such a one can be counted.
 */
export function saysSuccess({ json }: Receipt): boolean {
  const { result, receipt } = json;
  return (result === undefined || result === 'SUCESS') && isRecord(receipt) && receipt['result'] === success;
}
