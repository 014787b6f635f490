// Reads one block from one endpoint, by the view of its head or by the one that cannot change, and proves what it can.
import type { Transfer } from '@ducat/core/chain/transfer';
import { amountOf } from '@ducat/core/money/amount';
import type { ChainBlock, Untraced } from '../port.ts';
import { LyingNode } from '../endpoint/lying-node.ts';
import { UnreadableBlock } from '../endpoint/unreadable-block.ts';
import { askBlock } from './ask-block.ts';
import { provenHeader, type ProvenHeader } from './block-header.ts';
import { missing, type TronEndpoint, type View } from './endpoint.ts';
import { judgeTransaction, judgeUnproven } from './judge-transaction.ts';
import type { Movement } from './movement.ts';
import type { NodeApi } from './node-api.ts';
import { digestOf, type Json, listOf, recordOf } from './node-json.ts';
import { type RawTransaction, rawTransaction } from './raw-transaction.ts';
import { readReceipts, type Receipt } from './receipts.ts';
import { transactionsRoot } from './transactions-root.ts';
import type { Watched } from './watched.ts';

/** It says of nothing that it succeeded. */
const noReceipt: Receipt = { json: {}, logs: [], internal: [] };

/** A block as one endpoint tells it. */
export interface ToldBlock {
  readonly block: ChainBlock;
  /**
   * Null where its transactions give its root. Else none of its TRX is counted, and this is the digest of all that the
   * endpoint told of them.
   */
  readonly unproven: string | null;
}

/**
 * A block whose id follows from its header, and whose transactions with their results give the root of that header.
 * Logs and internal transactions are in no root: they are matched to the transactions, and the rest is the word of
 * this endpoint. Throws BehindHead where its view ends below the number, LyingNode where something does not fit, and
 * Outage where the root cannot be rebuilt.
 */
export async function readBlock(
  endpoint: TronEndpoint,
  view: View,
  chain: string,
  number: number,
  watched: Watched,
  api?: NodeApi,
): Promise<ChainBlock> {
  const { block, unproven } = await tellBlock(endpoint, view, chain, number, watched, api);
  if (unproven === null) return block;
  throw unprovenRoot(number);
}

/**
 * The same, but a block whose root cannot be rebuilt is told too. The API gives no bytes of a whole transaction, so
 * its results have to be encoded from JSON, and there are results of which that cannot be done. One such block must
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
  const answer = await askBlock(endpoint, api, number);
  const proven = provenHeader(answer);
  if (proven === null) throw await missing(endpoint, view, number);
  const { header } = proven;
  if (header.number !== number)
    throw new LyingNode(`was asked for block ${number} and answered with ${header.number}`);
  // The first block holds what the chain began with: it moves nothing, and has no receipts.
  if (number === 0) return { block: { header, transfers: [], untraced: [] }, unproven: null };
  const told = listOf(recordOf(answer, 'a block')['transactions'], 'transactions');
  const transactions = told.map(rawTransaction);
  const isProven = givesRoot(transactions, proven);
  // Without a single one there is nothing that could not be shown as it is, only something that is held back.
  if (!isProven && told.length === 0) throw new LyingNode(noRoot(number));
  const receipts = await readReceipts(api, proven, transactions);
  if (receipts.some(({ internal }) => internal.length > 0)) endpoint.showsInternal = true;
  const judge = isProven ? judgeTransaction : judgeUnproven;
  const transfers: Transfer[] = [];
  const untraced: Untraced[] = [];
  for (const [index, transaction] of transactions.entries()) {
    const txId = transaction.id;
    const judged = judge(transaction, receipts[index] ?? noReceipt, watched);
    transfers.push(...judged.movements.map((one) => transferOf(one, { chain, txId, block: header })));
    untraced.push(...judged.untraced.map((reason) => ({ txId, reason })));
  }
  return {
    block: { header, transfers, untraced },
    unproven: isProven ? null : evidenceOf(told, receipts),
  };
}

/**
 * Not said to be a lie: the result of a transaction can hold what the node's JSON does not show as it is, and nodes
 * have kept other results than those in the block after a fork switch.
 */
export function unprovenRoot(number: number): UnreadableBlock {
  return new UnreadableBlock(noRoot(number));
}

function noRoot(number: number): string {
  return `the transactions of block ${number} do not give its root`;
}

function givesRoot(
  transactions: readonly RawTransaction[],
  { transactionsRoot: root }: ProvenHeader,
): boolean {
  const leaves = transactions.flatMap(({ bytes }) => bytes ?? []);
  return leaves.length === transactions.length && transactionsRoot(leaves) === root;
}

/**
 * What two endpoints have to tell alike: all that a transaction is hashed from, and its receipt, but for what only
 * some nodes keep.
 */
function evidenceOf(told: readonly Json[], receipts: readonly Receipt[]): string {
  const hashed = told.map(({ raw_data_hex, signature, ret }) => ({ raw_data_hex, signature, ret }));
  const kept = receipts.map(({ json }) => ({ ...json, internal_transactions: null }));
  return digestOf([hashed, kept]);
}

function transferOf(
  { currency, units, position, from, to }: Movement,
  place: Pick<Transfer, 'chain' | 'txId' | 'block'>,
): Transfer {
  return { ...place, position, from, to, amount: amountOf(currency.currencyId, units) };
}
