// Reads one block from one endpoint, by the view of its head or by the one that cannot change, and proves what it can.
import { amountOf } from '@ducat/core/money/amount';
import type { ChainBlock } from '../port.ts';
import { LyingNode } from '../endpoint/lying-node.ts';
import { provenHeader, type ProvenHeader } from './block-header.ts';
import { missing, type TronEndpoint } from './endpoint.ts';
import type { Movement } from './movement.ts';
import { internalMovements, movesMoney, topLevelMovement } from './native-transfers.ts';
import { listOf, recordOf } from './node-json.ts';
import { type RawTransaction, rawTransaction } from './raw-transaction.ts';
import { readReceipts, type Receipt } from './receipts.ts';
import { tokenMovements } from './token-transfers.ts';
import { transactionsRoot } from './transactions-root.ts';
import type { Watched } from './watched.ts';

export type View = 'full' | 'solid';

/**
 * A block whose id follows from its header, and whose transactions with their results give the root of that header.
 * Logs and internal transactions are in no root: they are matched to the transactions, and the rest is the word of
 * this endpoint. Throws BehindHead where its view ends below the number, LyingNode where something does not fit.
 */
export async function readBlock(
  endpoint: TronEndpoint,
  view: View,
  chain: string,
  number: number,
  watched: Watched,
): Promise<ChainBlock> {
  const api = endpoint[view];
  const answer = await api('getblockbynum', { num: number });
  const proven = provenHeader(answer);
  if (proven === null) throw await missing(endpoint, view, number);
  if (proven.header.number !== number) {
    throw new LyingNode(`was asked for block ${number} and answered with ${proven.header.number}`);
  }
  // The first block holds what the chain began with: it moves nothing, and has no receipts.
  if (number === 0) return { header: proven.header, transfers: [], untraced: [] };
  const transactions = listOf(recordOf(answer, 'a block')['transactions'], 'transactions').map(
    rawTransaction,
  );
  if (transactionsRoot(transactions.map(({ bytes }) => bytes)) !== proven.transactionsRoot) {
    throw new LyingNode(`the transactions of block ${number} do not give its root`);
  }
  const receipts = await readReceipts(api, proven, transactions);
  if (receipts.some(({ internal }) => internal.length > 0)) endpoint.showsInternal = true;
  return blockOf(chain, proven, transactions, receipts, watched);
}

function blockOf(
  chain: string,
  { header }: ProvenHeader,
  transactions: readonly RawTransaction[],
  receipts: readonly Receipt[],
  watched: Watched,
): ChainBlock {
  const transfers = transactions.flatMap((transaction, index) => {
    const receipt = receipts[index] ?? { logs: [], internal: [] };
    return movementsOf(transaction, receipt, watched).map(({ currency, units, position, from, to }) => ({
      chain,
      txId: transaction.id,
      position,
      from,
      to,
      amount: amountOf(currency.currencyId, units),
      block: header,
    }));
  });
  return { header, transfers, untraced: transactions.filter(isUnclear).map(({ id }) => id) };
}

/** A transaction's own value comes first, then its tokens, then what moved inside it. */
function movementsOf(
  transaction: RawTransaction,
  { logs, internal }: Receipt,
  { native, tokens, inner }: Watched,
): readonly Movement[] {
  if (transaction.outcome !== 'succeeded' || !movesMoney(transaction.call)) return [];
  const own = native === null ? null : topLevelMovement(transaction, native);
  return [
    ...(own === null ? [] : [own]),
    ...tokenMovements(logs, tokens),
    ...(native === null || !inner ? [] : internalMovements(internal, native)),
  ];
}

/** Without a result nothing is credited, and somebody has to look. */
function isUnclear({ outcome, call }: RawTransaction): boolean {
  return outcome === 'missing' && movesMoney(call);
}
