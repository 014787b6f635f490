// The receipts of a block, matched to its header and transactions by number, id, height and time.
import { AnswerTooLarge } from '../../rpc/answer-too-large.ts';
import { invalidAnswer } from '../../rpc/invalid-answer.ts';
import type { HttpApi } from '../wire/http-api.ts';
import { fewAtOnce } from '../../rpc/in-chunks.ts';
import type { Json } from '../wire/json.ts';
import type { ProvenHeader } from './header.ts';

/** What a receipt adds to its transaction. No root covers any of it. */
export interface Receipt {
  /** The id of the receipt's transaction. */
  readonly id: string;
  /**
   * Whether both result fields say that code ran and succeeded. If the transaction says so and the receipt does not, the
   * receipt may be of another branch: nodes have kept such receipts after a fork switch. Then nothing in it counts.
   */
  readonly saysSuccess: boolean;
  /** Sun, burnt by the owner of the transaction. */
  readonly fee: bigint;
  readonly logs: readonly Json[];
  readonly internal: readonly Json[];
}

/**
 * One receipt for each transaction, in their order; `ids` is null where the node does not show them. Null where the node has
 * the block and no receipts of it yet. Throws Outage 'invalid' where it cannot show them or they do not fit.
 */
export async function fetchReceipts(
  api: HttpApi,
  proven: ProvenHeader,
  ids: readonly string[] | null,
): Promise<readonly Receipt[] | null> {
  if (ids?.length === 0) return [];
  const { number } = proven.header;
  const answers = await fetchAnswers(api, number, ids);
  if (answers === null) return null;
  if (ids !== null && answers.length !== ids.length)
    throw invalidAnswer(
      `answered ${answers.length} receipts for ${ids.length} transactions of block ${number}`,
    );
  const receipts = answers.map((json) => receiptOf(json, proven));
  if (ids !== null && receipts.some(({ id }, index) => id !== ids[index]))
    throw invalidAnswer(`the receipts of block ${number} are not in the order of its transactions`);
  if (ids === null && new Set(receipts.map(({ id }) => id)).size < receipts.length)
    throw invalidAnswer(`the receipts of block ${number} repeat a transaction`);
  return receipts;
}

async function fetchAnswers(
  api: HttpApi,
  number: number,
  ids: readonly string[] | null,
): Promise<readonly Json[] | null> {
  try {
    const answer = await api('gettransactioninfobyblocknum', { num: number });
    // The node answers with an empty list for every block that it does not have, and with {} for block 0.
    const receipts = answer.isList || hasFields(answer) ? answer.asRecords('receipts') : [];
    return receipts.length === 0 ? null : receipts;
  } catch (error) {
    // Payers decide how much a block logs, so the answer may be too large.
    if (!(error instanceof AnswerTooLarge) || ids === null) throw error;
    return fetchOneByOne(api, ids);
  }
}

async function fetchOneByOne(api: HttpApi, ids: readonly string[]): Promise<readonly Json[] | null> {
  const answers = await fewAtOnce(ids, (value) => api('gettransactioninfobyid', { value }));
  return answers.every(hasFields) ? answers : null;
}

function hasFields(answer: Json): boolean {
  return !answer.asRecord('receipts').hasOnly([]);
}

function receiptOf(json: Json, { header, timestampMs }: ProvenHeader): Receipt {
  const number = json.get('blockNumber').asInteger('a block number');
  const timeMs = json.get('blockTimeStamp').asInteger('a block time');
  if (number !== BigInt(header.number) || timeMs !== timestampMs)
    throw invalidAnswer(`a receipt of block ${header.number} is from another block`);
  const fee = json.get('fee').asInteger('a fee');
  if (fee < 0n) throw invalidAnswer('answered with a fee below zero');
  const result = json.get('result');
  const isFailed = !result.isAbsent && result.text !== 'SUCESS';
  return {
    id: json.get('id').asHex('the id of a receipt', 32),
    saysSuccess: !isFailed && json.get('receipt').get('result').text === 'SUCCESS',
    fee,
    logs: json.get('log').asRecords('logs'),
    internal: json.get('internal_transactions').asRecords('internal transactions'),
  };
}
