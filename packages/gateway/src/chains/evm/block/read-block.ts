// Reads one block from one provider, pinned by hash, and proves that its parts belong to that hash.
import type { BlockQuery, ChainBlock } from '../../port/reader.ts';
import { Outage } from '../../../runtime/outage.ts';
import { AnswerTooLarge } from '../../rpc/answer-too-large.ts';
import { inChunks } from '../../rpc/in-chunks.ts';
import { invalidAnswer } from '../../rpc/invalid-answer.ts';
import type { JsonTape, Place } from '../../rpc/json-tape.ts';
import { maxAnswerBytes, maxLargeAnswerBytes, requestsPerBatch } from '../../rpc/limits.ts';
import { type JsonRpc, type RpcResult, toQuantity } from '../json-rpc.ts';
import { NodeError } from '../node-error.ts';
import { type BlockChain, chainBlockOf } from './chain-block.ts';
import { readHeader } from './header.ts';
import { listOf } from './hex-fields.ts';
import { Receipts } from './receipts.ts';
import { readTransactions } from './transactions.ts';
import { type PackedValues, trieRoot } from './trie-root.ts';

/** Runs work that needs much memory, once all work handed in before it has ended, well or not. */
type OneAtATime = <T>(work: () => Promise<T>) => Promise<T>;

export function createOneAtATime(): OneAtATime {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const mine = last.then(work);
    last = mine.catch(() => undefined);
    return mine;
  };
}

export interface BlockSource {
  readonly rpc: JsonRpc;
  readonly chain: BlockChain;
  /** For a block whose answer is too large to be read beside others. */
  readonly alone: OneAtATime;
}

// ~ tour 8/15: no provider is believed: a block proves itself.
// → packages/gateway/src/flows/blocks/accept-blocks.ts
/**
 * A block whose hash follows from its header, and whose transactions and receipts give the roots of that header.
 * Recomputing both roots makes any other test of completeness (counts, the bloom, the order) unnecessary: a log cannot be
 * added, changed or left out, and an empty list is only taken of an empty block. Ids are computed from the same bytes.
 * Null where the provider has no block of that number. Throws Outage 'invalid' where something does not fit.
 */
export async function readBlock(
  source: BlockSource,
  number: number,
  query: BlockQuery,
): Promise<ChainBlock | null> {
  try {
    return await readFrom(source, number, query, maxAnswerBytes);
  } catch (error) {
    if (!(error instanceof AnswerTooLarge)) throw error;
    // A provider that is gone shows here, before it takes a turn for large answers.
    await source.rpc.call('eth_blockNumber', []);
    return source.alone(() => readFrom(source, number, query, maxLargeAnswerBytes));
  }
}

async function readFrom(
  { rpc, chain }: BlockSource,
  number: number,
  query: BlockQuery,
  maxBytes: number,
): Promise<ChainBlock | null> {
  const answer = await rpc.read('eth_getBlockByNumber', [toQuantity(number), true], maxBytes);
  if (answer === null) return null;
  const { header, isProven, baseFee, ...roots } = readHeader(answer.tape, answer.place);
  if (header.number !== number)
    throw invalidAnswer(`was asked for block ${number} and answered with ${header.number}`);
  const transactions = readTransactions(answer.tape, answer.place);
  const { ids, areKnown } = transactions;
  // A transaction of an unknown type has no known bytes, so no root can be computed.
  if (areKnown) expectRoot(transactions, roots.transactionsRoot, `transactions of block ${number}`);
  const receipts = new Receipts(query.currencies);
  if (ids.length > 0) await readReceipts(rpc, header.hash, ids, receipts, maxBytes);
  const { length } = receipts.all;
  if (length !== ids.length)
    throw invalidAnswer(`answered ${length} receipts for ${ids.length} transactions of block ${number}`);
  if (areKnown) expectRoot(receipts, roots.receiptsRoot, `receipts of block ${number}`);
  const block = { header, isProven: isProven && areKnown, baseFee, transactions, receipts };
  return chainBlockOf(chain, block, query);
}

/**
 * Receipts are read by hash, so that a reorg in between shows. They are read in parts where the answer is too large to be
 * read beside others, or where the provider has no call for a whole block.
 */
async function readReceipts(
  rpc: JsonRpc,
  hash: string,
  ids: readonly string[],
  receipts: Receipts,
  maxBytes: number,
): Promise<void> {
  if (maxBytes > maxAnswerBytes) return readReceiptsInParts(rpc, ids, receipts);
  const answer = await rpc.read('eth_getBlockReceipts', [hash], maxBytes).catch((error: unknown) => {
    if (error instanceof NodeError && error.kind === 'unsupported') return 'unsupported' as const;
    throw error;
  });
  if (answer === 'unsupported') return readReceiptsInParts(rpc, ids, receipts);
  if (answer === null) throw gone();
  for (const receipt of listOf(answer.tape, answer.place)) addReceipt(receipts, answer.tape, receipt);
}

function addReceipt(receipts: Receipts, tape: JsonTape, place: Place): void {
  if (tape.isNull(place)) throw gone();
  receipts.add(tape, place);
}

async function readReceiptsInParts(rpc: JsonRpc, ids: readonly string[], receipts: Receipts): Promise<void> {
  for (const part of inChunks(ids, requestsPerBatch)) await readPart(rpc, part, receipts);
}

/** Halves the request until each part gets through. */
async function readPart(rpc: JsonRpc, ids: readonly string[], receipts: Receipts): Promise<void> {
  const method = 'eth_getTransactionReceipt';
  const requests = ids.map((id) => ({ method, params: [id] }));
  let answers: readonly RpcResult[];
  try {
    answers = await rpc.batch(requests, maxLargeAnswerBytes);
  } catch (error) {
    if (!(error instanceof AnswerTooLarge) || error.isLate || ids.length === 1) throw error;
    for (const half of inChunks(ids, Math.ceil(ids.length / 2))) await readPart(rpc, half, receipts);
    return;
  }
  for (const { tape, place } of answers) addReceipt(receipts, tape, place);
}

/** A reorg happened between the two requests, or a backend does not have the block yet. */
function gone(): Outage {
  return new Outage('no longer has the receipts of the block');
}

function expectRoot(values: PackedValues, root: string, what: string): void {
  const computed = `0x${Buffer.from(trieRoot(values)).toString('hex')}`;
  if (computed !== root) throw invalidAnswer(`answered with ${what} that do not give their root`);
}
