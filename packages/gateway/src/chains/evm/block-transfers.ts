// Every movement of the watched currencies in a block that is proven, in the order of the chain.
import type { Currency } from '@ducat/core/chain/currency';
import type { BlockHeader, Transfer } from '@ducat/core/chain/transfer';
import { amountOf } from '@ducat/core/money/amount';
import { transactionId } from './block-roots.ts';
import { LyingNode } from './lying-node.ts';
import type { Movement } from './movement.ts';
import { type CallFrame, internalMovements, topLevelMovement } from './native-transfers.ts';
import type { RawTransaction } from './raw-block.ts';
import type { ProvenBlock } from './read-block.ts';
import { tokenMovements } from './token-transfers.ts';

/** What is looked for: the chain's own coin or not, and tokens by the lower-case address of their contract. */
export interface Watched {
  readonly native: Currency | null;
  readonly tokens: ReadonlyMap<string, Currency>;
}

export function watchedOf(currencies: readonly Currency[]): Watched {
  const tokens = new Map<string, Currency>();
  let native: Currency | null = null;
  for (const currency of currencies) {
    if (currency.contract === null) native = currency;
    else tokens.set(currency.contract.toLowerCase(), currency);
  }
  return { native, tokens };
}

/** `frames` are the top call frames by transaction, empty where the block was not traced. */
export function transfersOf(
  chain: string,
  header: BlockHeader,
  { block, receipts }: ProvenBlock,
  frames: readonly CallFrame[],
  watched: Watched,
): readonly Transfer[] {
  const transfers: Transfer[] = [];
  for (const [index, receipt] of receipts.entries()) {
    // What a failed transaction meant to do did not happen.
    if (receipt.status !== '0x1') continue;
    const transaction = block.transactions[index];
    if (transaction === undefined) continue;
    const before = transfers.length;
    const add = (movement: Movement): void => {
      transfers.push(toTransfer(chain, header, transaction, movement));
    };
    if (watched.native !== null) {
      const value = topLevelMovement(transaction, watched.native);
      if (value !== null) add(value);
    }
    if (receipt.logs.length > 0) tokenMovements(receipt, watched.tokens).forEach(add);
    const frame = frames[index];
    if (watched.native !== null && frame !== undefined) internalMovements(frame, watched.native).forEach(add);
    if (transfers.length > before) checkId(transaction, header.number);
  }
  return transfers;
}

function toTransfer(
  chain: string,
  block: BlockHeader,
  transaction: RawTransaction,
  movement: Movement,
): Transfer {
  const { position, from, to } = movement;
  const amount = amountOf(movement.currency.currencyId, movement.units);
  return { chain, txId: transaction.hash.toLowerCase(), position, from, to, amount, block };
}

/** The id is half of a transfer's identity, and no root covers it: a false one would be credited twice. */
function checkId(transaction: RawTransaction, number: number): void {
  if (transactionId(transaction) !== transaction.hash.toLowerCase()) {
    throw new LyingNode(`a transaction of block ${number} does not have the id that it is given`);
  }
}
