// The receipts of a block, matched to its transactions by number, id, height and time.
import { LyingNode } from '../endpoint/lying-node.ts';
import { type Asked, askReceipts } from './ask-receipts.ts';
import type { ProvenHeader } from './block-header.ts';
import { heightOf, hexOf, integerOf, isRecord, type Json, listOf } from './node-json.ts';
import type { RawTransaction } from './raw-transaction.ts';

/** What a receipt adds to its transaction. */
export interface Receipt {
  /** Of which transaction it is. */
  readonly id: string;
  readonly json: Json;
  readonly logs: readonly Json[];
  readonly internal: readonly Json[];
}

const success = 'SUCCESS';

/** It says of nothing that it succeeded. */
export const noReceipt: Receipt = { id: '', json: {}, logs: [], internal: [] };

/**
 * One for each transaction, in their order. A node that has not got the block yet answers with an empty list instead
 * of an error, so an empty answer is believed of an empty block only: else Outage. Throws UnshownReceipts where the
 * node cannot show them, LyingNode where a receipt is of another block or transaction.
 */
export async function readReceipts(
  asked: Asked,
  proven: ProvenHeader,
  transactions: readonly Pick<RawTransaction, 'id'>[],
): Promise<readonly Receipt[]> {
  if (transactions.length === 0) return [];
  const { number } = proven.header;
  const ids = transactions.map(({ id }) => id);
  const receipts = await askReceipts(asked, proven.header, ids);
  if (receipts.length !== transactions.length) {
    const counts = `${receipts.length} receipts for ${transactions.length} transactions`;
    throw new LyingNode(`answered ${counts} of block ${number}`);
  }
  return transactions.map((transaction, index) => {
    const receipt = receiptOf(receipts[index] ?? {}, proven);
    if (receipt.id !== transaction.id)
      throw new LyingNode(`the receipts of block ${number} are not in the order of its transactions`);
    return receipt;
  });
}

/** The same of a block whose transactions are not shown: of this block, each of another transaction. */
export async function readAnyReceipts(asked: Asked, proven: ProvenHeader): Promise<readonly Receipt[]> {
  const { number } = proven.header;
  const receipts = (await askReceipts(asked, proven.header, null)).map((json) => receiptOf(json, proven));
  if (new Set(receipts.map(({ id }) => id)).size < receipts.length)
    throw new LyingNode(`the receipts of block ${number} repeat a transaction`);
  return receipts;
}

function receiptOf(json: Json, { header, timestampMs }: ProvenHeader): Receipt {
  const isThere = heightOf(json['blockNumber']) === header.number;
  if (!isThere || integerOf(json['blockTimeStamp'], 'a block time') !== timestampMs)
    throw new LyingNode(`a receipt of block ${header.number} is from another block`);
  return {
    id: hexOf(json['id'], 'the id of a receipt', 32),
    json,
    logs: listOf(json['log'], 'logs'),
    internal: listOf(json['internal_transactions'], 'internal transactions'),
  };
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
