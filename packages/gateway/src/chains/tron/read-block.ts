// Reads one block from one endpoint, by the view of its head or by the one that cannot change, and proves what it can.
import type { Transfer } from '@ducat/core/chain/transfer';
import { amountOf } from '@ducat/core/money/amount';
import type { ChainBlock, Untraced, UntracedReason } from '../port.ts';
import { Outage } from '../../outage.ts';
import { LyingNode } from '../endpoint/lying-node.ts';
import { provenHeader, type ProvenHeader } from './block-header.ts';
import { movesMoney } from './read-contract.ts';
import { missing, type TronEndpoint, type View } from './endpoint.ts';
import type { Movement } from './movement.ts';
import { internalMovements, topLevelMovement } from './native-transfers.ts';
import type { NodeApi } from './node-api.ts';
import { digestOf, type Json, listOf, recordOf } from './node-json.ts';
import { type RawTransaction, rawTransaction } from './raw-transaction.ts';
import { checkOutcome, readReceipts, type Receipt } from './receipts.ts';
import { tokenMovements } from './token-transfers.ts';
import { transactionsRoot } from './transactions-root.ts';
import type { Watched } from './watched.ts';

/** A block as one endpoint tells it. */
export interface ToldBlock {
  readonly block: ChainBlock;
  /**
   * Null where its transactions give its root. Else nothing of it is counted, and this is the digest of all that the
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
 * proves, a block, and every transaction in it is untraced. None of them is believed.
 */
export async function tellBlock(
  endpoint: TronEndpoint,
  view: View,
  chain: string,
  number: number,
  watched: Watched,
  api: NodeApi = endpoint[view],
): Promise<ToldBlock> {
  const answer = await api('getblockbynum', { num: number });
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
  if (isProven) {
    checkOutcome(transactions, receipts, number);
    return { block: blockOf(chain, proven, transactions, receipts, watched), unproven: null };
  }
  // Not even what kind of transaction each of them is has been proven.
  const untraced = transactions.map(({ id }) => ({ txId: id, reason: 'unproven' as const }));
  return { block: { header, transfers: [], untraced }, unproven: evidenceOf(told, receipts) };
}

/**
 * Not said to be a lie: the result of a transaction can hold what the node's JSON does not show as it is, and nodes
 * have kept other results than those in the block after a fork switch.
 */
export function unprovenRoot(number: number): Outage {
  return new Outage(noRoot(number), { retryable: true });
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

function blockOf(
  chain: string,
  { header }: ProvenHeader,
  transactions: readonly RawTransaction[],
  receipts: readonly Receipt[],
  watched: Watched,
): ChainBlock {
  const transfers: Transfer[] = [];
  const untraced: Untraced[] = [];
  for (const [index, transaction] of transactions.entries()) {
    const { id: txId } = transaction;
    const moved = movementsOf(transaction, receipts[index], watched);
    if (typeof moved === 'string') untraced.push({ txId, reason: moved });
    else transfers.push(...moved.map((one) => transferOf(one, { chain, txId, block: header })));
  }
  return { header, transfers, untraced };
}

function transferOf(
  { currency, units, position, from, to }: Movement,
  place: Pick<Transfer, 'chain' | 'txId' | 'block'>,
): Transfer {
  return { ...place, position, from, to, amount: amountOf(currency.currencyId, units) };
}

/**
 * A transaction's own value comes first, then its tokens, then what moved inside it. Of one that is unclear in any way
 * nothing counts, and somebody has to look.
 */
function movementsOf(
  transaction: RawTransaction,
  { logs, internal }: Receipt = { json: {}, logs: [], internal: [] },
  { native, tokens, inner }: Watched,
): readonly Movement[] | UntracedReason {
  const { contract, outcome } = transaction;
  const { call } = contract;
  // Of what failed nothing moved, however it is written.
  if (outcome === 'failed' || !mayMove(transaction)) return [];
  // mark: bytes-with-one-meaning
  if (call === null) return contract.unclear;
  if (outcome !== 'succeeded') return outcome === 'missing' ? 'no-result' : 'unknown-result';
  const own = native === null ? null : topLevelMovement(call, native);
  const sent = native === null || !inner ? [] : internalMovements(internal, native);
  if (sent === null) return 'impossible-value';
  return [...(own === null ? [] : [own]), ...tokenMovements(logs, tokens), ...sent];
}

function mayMove({ contract: { call } }: RawTransaction): boolean {
  return call === null || movesMoney(call);
}
