// The receipts of a block as a node tells them: all at once, or where that is too much one by one.
import type { BlockHeader } from '@ducat/core/chain/transfer';
import { Outage } from '../../runtime/outage.ts';
import { LyingNode } from '../endpoint/lying-node.ts';
import { TooMuch } from '../endpoint/too-much.ts';
import { isOfContent, plainBlock } from './ask-block.ts';
import type { TronEndpoint, View } from './endpoint.ts';
import type { NodeApi } from './node-api.ts';
import { type Json, listOf, recordOf } from './node-json.ts';
import { UnshownReceipts } from './unshown-blocks.ts';

/** A block of 2,000,000 bytes has no room for more: the smallest signed transaction takes more than 120 of them. */
const maxTransactions = 16_384;
/** The pace of the endpoint holds back what goes beyond its limit. */
const atOnce = 4;

/** Which endpoint is asked, and by what. */
export interface Asked {
  readonly endpoint: TronEndpoint;
  readonly view: View;
  readonly api: NodeApi;
}

/**
 * One for each transaction and in their order, as far as the node tells the truth: the caller proves ids and block.
 * `ids` are null where they are not known. Throws UnshownReceipts where the node fails by what payers wrote into them,
 * and Outage where it has none of them, as it answers nothing instead of an error while it lacks the block.
 */
export async function askReceipts(
  { endpoint, view, api }: Asked,
  { number, hash }: BlockHeader,
  ids: readonly string[] | null,
): Promise<readonly Json[]> {
  const place = { view, hash, part: 'receipts' } as const;
  try {
    const receipts = await askEither(api, number, ids);
    endpoint.unshown.noteShown(place);
    return receipts;
  } catch (error) {
    if (!isOfContent(error)) throw error;
    // A node that shows no receipts at all is broken, and fails here.
    await api('gettransactioninfobyblocknum', { num: plainBlock });
    const isLate = error instanceof TooMuch && error.isLate;
    throw new UnshownReceipts(number, error.message, endpoint.unshown.note(place, isLate));
  }
}

async function askEither(
  api: NodeApi,
  number: number,
  ids: readonly string[] | null,
): Promise<readonly Json[]> {
  try {
    return await askAtOnce(api, number);
  } catch (error) {
    if (!(error instanceof TooMuch) || ids === null) throw error;
    // Payers decide how much a block logs, so this must not stop the reading; a node that is gone fails here.
    await api('getblock', { id_or_num: String(number), detail: false });
    return askOneByOne(api, number, ids);
  }
}

async function askAtOnce(api: NodeApi, number: number): Promise<readonly Json[]> {
  const answer = await api('gettransactioninfobyblocknum', { num: number });
  const isEmpty = Array.isArray(answer)
    ? answer.length === 0
    : Object.keys(recordOf(answer, 'receipts')).length === 0;
  if (isEmpty) throw noReceipts(number);
  return listOf(answer, 'receipts');
}

async function askOneByOne(api: NodeApi, number: number, ids: readonly string[]): Promise<readonly Json[]> {
  if (ids.length > maxTransactions)
    throw new LyingNode(`has ${ids.length} transactions in block ${number}, which has no room for them`);
  const receipts: Json[] = [];
  for (let first = 0; first < ids.length; first += atOnce) {
    const part = ids.slice(first, first + atOnce);
    const answers = await Promise.all(part.map((value) => api('gettransactioninfobyid', { value })));
    for (const answer of answers) {
      const receipt = recordOf(answer, 'a receipt');
      if (Object.keys(receipt).length === 0) throw noReceipts(number);
      receipts.push(receipt);
    }
  }
  return receipts;
}

function noReceipts(number: number): Outage {
  return new Outage(`has block ${number}, but no receipts of it`, { retryable: true });
}
