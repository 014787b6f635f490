// Reads one block from one endpoint, pinned by hash, and proves that its parts belong to that hash.
import { BehindHead, type Endpoint } from './endpoint.ts';
import { receiptsRoot, transactionsRoot } from './block-roots.ts';
import type { HeaderTrust } from './header-trust.ts';
import { LyingNode } from './lying-node.ts';
import { Outage } from '../../outage.ts';
import {
  blockAnswer,
  quantityAnswer,
  receiptsAnswer,
  toQuantity,
  type RawBlock,
  type RawReceipt,
} from './raw-block.ts';
import { methodNotFound, NodeError } from './rpc.ts';

export interface ProvenBlock {
  readonly block: RawBlock;
  /** One per transaction, in its order. */
  readonly receipts: readonly RawReceipt[];
}

// ~ tour 7/12: no node is believed: a block proves itself.
// → packages/gateway/src/flows/accept-block.ts
/**
 * A block whose hash follows from its header, and whose transactions and receipts give the roots of that
 * header. Recomputing both roots makes any other test of completeness (counts, the bloom) unnecessary: a log
 * cannot be added, changed or left out, and an empty list is only believed of an empty block.
 * Throws BehindHead where the endpoint's head is below the number, LyingNode where something does not fit.
 */
export async function readProvenBlock(
  endpoint: Endpoint,
  number: number,
  trust: HeaderTrust,
): Promise<ProvenBlock> {
  const block = blockAnswer(await endpoint.rpc.call('eth_getBlockByNumber', [toQuantity(number), true]));
  if (block === null) throw await missing(endpoint, number);
  if (quantityAnswer(block.number) !== number) {
    throw new LyingNode(`was asked for block ${number} and answered with ${quantityAnswer(block.number)}`);
  }
  await trust.check(block);
  if (transactionsRoot(block.transactions) !== block.transactionsRoot.toLowerCase()) {
    throw new LyingNode(`the transactions of block ${number} do not give its transactions root`);
  }
  const receipts = await readReceipts(endpoint, block);
  checkReceipts(block, receipts, number);
  return { block, receipts };
}

/** What a missing block means: the endpoint is behind and says so, or it contradicts itself. */
export async function missing(endpoint: Endpoint, number: number): Promise<Outage> {
  const head = await endpoint.askHead();
  if (head < number) return new BehindHead(number);
  return new Outage(`tells head ${head} but has no block ${number}`, { retryable: true });
}

async function readReceipts(endpoint: Endpoint, block: RawBlock): Promise<readonly RawReceipt[]> {
  if (block.transactions.length === 0) return [];
  let answer: unknown;
  try {
    answer = await endpoint.rpc.call('eth_getBlockReceipts', [block.hash]);
  } catch (error) {
    if (!(error instanceof NodeError) || error.code !== methodNotFound) throw error;
    const requests = block.transactions.map(({ hash }) => ({
      method: 'eth_getTransactionReceipt',
      params: [hash],
    }));
    answer = await endpoint.rpc.batch(requests);
  }
  // A reorganisation between the two questions, or a backend that has not got the block yet.
  const gone = answer === null || (Array.isArray(answer) && answer.includes(null));
  if (gone) throw new Outage(`no longer has the receipts of block ${block.hash}`, { retryable: true });
  return receiptsAnswer(answer);
}

function checkReceipts(block: RawBlock, receipts: readonly RawReceipt[], number: number): void {
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
