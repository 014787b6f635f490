// The receipts of a block, matched to its transactions by number, id, height and time.
import { Outage } from '../../outage.ts';
import { LyingNode } from '../endpoint/lying-node.ts';
import type { ProvenHeader } from './block-header.ts';
import { heightOf, hexOf, integerOf, type Json, listOf, recordOf } from './node-json.ts';
import type { NodeApi } from './node-api.ts';
import type { RawTransaction } from './raw-transaction.ts';
import { movesMoney, runsCode } from './native-transfers.ts';

/** What a receipt adds to its transaction. */
export interface Receipt {
  readonly logs: readonly Json[];
  readonly internal: readonly Json[];
}

const success = 'SUCCESS';

/**
 * One for each transaction, in their order. A node that has not got the block yet answers with an empty list instead
 * of an error, so an empty answer is believed of an empty block only: else Outage. Throws LyingNode where a receipt
 * is of another block or transaction, or tells another result than the transaction itself.
 */
export async function readReceipts(
  api: NodeApi,
  { header, timestampMs }: ProvenHeader,
  transactions: readonly RawTransaction[],
): Promise<readonly Receipt[]> {
  if (transactions.length === 0) return [];
  const answer = await api('gettransactioninfobyblocknum', { num: header.number });
  const isEmpty = Array.isArray(answer)
    ? answer.length === 0
    : Object.keys(recordOf(answer, 'receipts')).length === 0;
  if (isEmpty) throw new Outage(`has block ${header.number}, but no receipts of it`, { retryable: true });
  const receipts = listOf(answer, 'receipts');
  const { number } = header;
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
    checkOutcome(receipt, transaction, number);
    return {
      logs: listOf(receipt['log'], 'logs'),
      internal: listOf(receipt['internal_transactions'], 'internal transactions'),
    };
  });
}

/**
 * The result stands in three places: in the transaction, where the root covers it, and twice in the receipt. A call
 * succeeded where all three say so; a transfer has no `receipt.result`.
 */
function checkOutcome(receipt: Json, { outcome, call, id }: RawTransaction, number: number): void {
  if (call === null || !movesMoney(call)) return;
  const { result: shown, receipt: cost } = receipt;
  if (shown !== undefined && shown !== 'FAILED' && shown !== 'SUCESS')
    throw new LyingNode(`a receipt of block ${number} has a result that is not known here`);
  const executed = recordOf(cost, 'a receipt')['result'];
  const ranWell = runsCode(call) ? executed === success : executed === undefined || executed === success;
  const succeeded = shown !== 'FAILED' && ranWell;
  if (outcome === 'succeeded' && !succeeded)
    throw new LyingNode(`transaction ${id} succeeded, and its receipt in block ${number} does not say so`);
  if (outcome === 'failed' && succeeded && runsCode(call))
    throw new LyingNode(`transaction ${id} failed, and its receipt in block ${number} does not say so`);
}
