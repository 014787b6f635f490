// What a block moved: its transactions judged by their receipts, or its receipts alone where no transaction is shown.
import type { BlockHeader, Transfer } from '@ducat/core/chain/transfer';
import { amountOf } from '@ducat/core/money/amount';
import type { ChainBlock, Untraced } from '../port.ts';
import { judgeTransaction, judgeUnproven } from './judge-transaction.ts';
import type { Movement } from './movement.ts';
import type { RawTransaction } from './raw-transaction.ts';
import { noReceipt, type Receipt, saysSuccess } from './receipts.ts';
import { tokenMovements } from './token-transfers.ts';
import type { Watched } from './watched.ts';

/** A transaction without its bytes, which only prove it. */
export type ShownTransaction = Omit<RawTransaction, 'bytes'>;

/** Transactions as one endpoint shows them. */
export interface Body {
  readonly transactions: readonly ShownTransaction[];
  /** Whether they give the root of the header. */
  readonly isProven: boolean;
}

/** Where the block stands, and what is looked for in it. */
export interface Scene {
  readonly chain: string;
  readonly header: BlockHeader;
  readonly watched: Watched;
}

/**
 * Receipts are matched by id. A call without one is judged as by one that says nothing: its proven value counts, its
 * tokens and what it sent do not, and it is named.
 */
export function judgeBlock(
  { chain, header, watched }: Scene,
  { transactions, isProven }: Body,
  receipts: readonly Receipt[],
): ChainBlock {
  const judge = isProven ? judgeTransaction : judgeUnproven;
  const byId = new Map(receipts.map((receipt) => [receipt.id, receipt]));
  const transfers: Transfer[] = [];
  const untraced: Untraced[] = [];
  for (const transaction of transactions) {
    const txId = transaction.id;
    const judged = judge(transaction, byId.get(txId) ?? noReceipt, watched);
    for (const one of judged.movements) transfers.push(transferOf(one, { chain, txId, block: header }));
    for (const reason of judged.untraced) untraced.push({ txId, reason });
  }
  return { header, transfers, untraced };
}

/** The tokens that receipts tell of with success, where nobody shows the transactions. */
export function tokensOf(
  { chain, header, watched }: Scene,
  receipts: readonly Receipt[],
): readonly Transfer[] {
  return receipts.filter(saysSuccess).flatMap((receipt) => {
    const place = { chain, txId: receipt.id, block: header };
    return tokenMovements(receipt.logs, watched.tokens).movements.map((one) => transferOf(one, place));
  });
}

/** Throws LyingNode where one of them tells of a watched token as no node does, whoever proves what succeeded. */
export function expectReadable(receipts: readonly Receipt[], { tokens }: Watched): void {
  for (const { logs } of receipts) tokenMovements(logs, tokens);
}

function transferOf(
  { currency, units, position, from, to }: Movement,
  { chain, txId, block }: Pick<Transfer, 'chain' | 'txId' | 'block'>,
): Transfer {
  return { chain, txId, block, position, from, to, amount: amountOf(currency.currencyId, units) };
}
