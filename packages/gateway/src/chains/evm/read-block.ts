// Reads one block from one endpoint, pinned by hash, and proves that its parts belong to that hash.
import { askInParts } from './ask-in-parts.ts';
import type { Endpoint, Reading } from './endpoint.ts';
import { missing } from './expect-block.ts';
import type { BlockHeader } from '@ducat/core/chain/transfer';
import { receiptsRoot, transactionsRoot } from './block-roots.ts';
import { toBlockHeader } from './header-hash.ts';
import type { HeaderTrust } from './header-trust.ts';
import { LyingNode } from '../endpoint/lying-node.ts';
import { Outage } from '../../runtime/outage.ts';
import {
  blockAnswer,
  quantityAnswer,
  receiptsAnswer,
  toQuantity,
  type RawBlock,
  type RawReceipt,
  type RawTransaction,
} from './raw-block.ts';
import { methodNotFound, NodeError, type Rpc } from './rpc.ts';
import { TooMuch } from '../endpoint/too-much.ts';

/** The part of a proven block that is still asked for. */
export interface ProvenTransactions {
  readonly header: BlockHeader;
  /** As the node writes it. */
  readonly hash: string;
  readonly receiptsRoot: string;
  readonly transactions: readonly Pick<RawTransaction, 'hash' | 'from' | 'to' | 'value' | 'nonce'>[];
}

export interface ProvenBlock {
  readonly block: ProvenTransactions;
  /** One per transaction, in its order. */
  readonly receipts: readonly RawReceipt[];
}

// ~ tour 7/12: no node is believed: a block proves itself.
// → packages/gateway/src/flows/blocks/accept-blocks.ts
/**
 * A block whose hash follows from its header, and whose transactions and receipts give the roots of that
 * header. Recomputing both roots makes any other test of completeness (counts, the bloom) unnecessary: a log
 * cannot be added, changed or left out, and an empty list is only believed of an empty block. The id of a
 * transaction is in no root, and it is half of a transfer's identity: a false one would be credited twice.
 * Throws BehindHead where the endpoint's head is below the number, LyingNode where something does not fit.
 */
export async function readProvenBlock(
  endpoint: Endpoint,
  reading: Reading,
  number: number,
  trust: HeaderTrust,
): Promise<ProvenBlock> {
  const block = await readTransactions(endpoint, reading, number, trust);
  const receipts = await readReceipts(reading, block);
  checkReceipts(block, receipts, number);
  return { block, receipts };
}

/** What is not needed any more is let go before the receipts are waited for: sixteen blocks are read side by side. */
async function readTransactions(
  endpoint: Endpoint,
  { rpc }: Reading,
  number: number,
  trust: HeaderTrust,
): Promise<ProvenTransactions> {
  const block = blockAnswer(await rpc.call('eth_getBlockByNumber', [toQuantity(number), true]));
  if (block === null) throw await missing(endpoint, number);
  if (quantityAnswer(block.number) !== number) {
    throw new LyingNode(`was asked for block ${number} and answered with ${quantityAnswer(block.number)}`);
  }
  await trust.check(endpoint, block);
  checkTransactions(block, number);
  const transactions = block.transactions.map(({ hash, from, to, value, nonce }) => ({
    hash,
    from,
    to,
    value,
    nonce,
  }));
  return { header: toBlockHeader(block), hash: block.hash, receiptsRoot: block.receiptsRoot, transactions };
}

function checkTransactions({ transactions, transactionsRoot: expected }: RawBlock, number: number): void {
  const { root, ids } = transactionsRoot(transactions);
  if (root !== expected.toLowerCase()) {
    throw new LyingNode(`the transactions of block ${number} do not give its transactions root`);
  }
  if (!transactions.every(({ hash }, index) => hash.toLowerCase() === ids[index])) {
    throw new LyingNode(`a transaction of block ${number} does not have the id that it is given`);
  }
}

async function readReceipts(
  { rpc, inParts }: Reading,
  block: ProvenTransactions,
): Promise<readonly RawReceipt[]> {
  if (block.transactions.length === 0) return [];
  const answer = inParts ? await receiptsInParts(rpc, block) : await receiptsAtOnce(rpc, block);
  // A reorganisation between the two questions, or a backend that has not got the block yet.
  const gone = answer === null || (Array.isArray(answer) && answer.includes(null));
  if (gone) throw new Outage(`no longer has the receipts of block ${block.hash}`, { retryable: true });
  return receiptsAnswer(answer);
}

async function receiptsAtOnce(rpc: Rpc, block: ProvenTransactions): Promise<unknown> {
  try {
    return await rpc.call('eth_getBlockReceipts', [block.hash]);
  } catch (error) {
    if (!(error instanceof NodeError) || error.code !== methodNotFound) throw error;
    return receiptsInParts(rpc, block);
  }
}

async function receiptsInParts(rpc: Rpc, { transactions }: ProvenTransactions): Promise<readonly unknown[]> {
  const method = 'eth_getTransactionReceipt';
  const receipts = await askInParts(
    rpc,
    transactions.map(({ hash }) => ({ method, params: [hash] })),
  );
  if (receipts.includes(undefined)) throw new TooMuch('has a receipt that is too much for one answer');
  return receipts;
}

function checkReceipts(block: ProvenTransactions, receipts: readonly RawReceipt[], number: number): void {
  const { transactions, hash } = block;
  if (receipts.length !== transactions.length) {
    const counts = `${receipts.length} receipts for ${transactions.length} transactions`;
    throw new LyingNode(`answered ${counts} of block ${number}`);
  }
  let logIndex = 0;
  for (const [index, receipt] of receipts.entries()) {
    const id = transactions[index]?.hash;
    if (receipt.blockHash !== hash) throw new LyingNode(`a receipt of block ${number} is from another block`);
    if (receipt.transactionHash !== id || quantityAnswer(receipt.transactionIndex) !== index) {
      throw new LyingNode(`the receipts of block ${number} are not in the order of its transactions`);
    }
    for (const log of receipt.logs) {
      if (log.blockHash !== hash) throw new LyingNode(`a log of block ${number} is from another block`);
      if (log.transactionHash !== id || log.removed === true || quantityAnswer(log.logIndex) !== logIndex) {
        throw new LyingNode(`the logs of block ${number} are not in the order of the chain`);
      }
      logIndex++;
    }
  }
  if (receiptsRoot(receipts) !== block.receiptsRoot.toLowerCase()) {
    throw new LyingNode(`the receipts of block ${number} do not give its receipts root`);
  }
}
