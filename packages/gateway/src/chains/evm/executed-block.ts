// What is kept of a proven block: what each transaction did outside its calls, and whether its calls matter.
import type { Currency } from '@ducat/core/chain/currency';
import type { BlockHeader } from '@ducat/core/chain/transfer';
import type { Movement } from './movement.ts';
import { recipientOf, topLevelMovement } from './native-transfers.ts';
import type { ProvenBlock } from './read-block.ts';
import { tokenMovements } from './token-transfers.ts';

/** What is looked for: the chain's own coin or not, and tokens by the lower-case address of their contract. */
export interface Watched {
  readonly native: Currency | null;
  readonly tokens: ReadonlyMap<string, Currency>;
}

export interface ExecutedTransaction {
  readonly id: string;
  readonly recipient: string;
  /** Wei that the transaction itself carries, whether it succeeded or not. */
  readonly value: bigint;
  readonly succeeded: boolean;
  /** What it used, by what the receipts root proves. */
  readonly gas: bigint;
  /** Whether it did more than a plain transfer, so that value can have moved inside it. */
  readonly mayMoveInside: boolean;
  /** Its own value and its tokens, in order; nothing where it failed. */
  readonly movements: readonly Movement[];
}

export interface ExecutedBlock {
  readonly header: BlockHeader;
  readonly transactions: readonly ExecutedTransaction[];
}

const plainTransferGas = 21_000n;

export function watchedOf(currencies: readonly Currency[]): Watched {
  const tokens = new Map<string, Currency>();
  let native: Currency | null = null;
  for (const currency of currencies) {
    if (currency.contract === null) native = currency;
    else tokens.set(currency.contract.toLowerCase(), currency);
  }
  return { native, tokens };
}

/** Small however large the block was, as the logs are gone. */
export function executedBlock({ block, receipts }: ProvenBlock, watched: Watched): ExecutedBlock {
  const transactions: ExecutedTransaction[] = [];
  let gasBefore = 0n;
  for (const [index, receipt] of receipts.entries()) {
    const transaction = block.transactions[index];
    if (transaction === undefined) continue;
    // The gas of one transaction is not in the receipts root, the running total is.
    const gasTotal = BigInt(receipt.cumulativeGasUsed);
    const gas = gasTotal - gasBefore;
    const plain = gas === plainTransferGas;
    gasBefore = gasTotal;
    // What a failed transaction meant to do did not happen.
    const succeeded = receipt.status === '0x1';
    const own = succeeded && watched.native !== null ? topLevelMovement(transaction, watched.native) : null;
    const tokens = succeeded && receipt.logs.length > 0 ? tokenMovements(receipt, watched.tokens) : [];
    transactions.push({
      id: transaction.hash.toLowerCase(),
      recipient: recipientOf(transaction),
      value: BigInt(transaction.value),
      succeeded,
      gas,
      mayMoveInside: succeeded && !plain,
      movements: own === null ? tokens : [own, ...tokens],
    });
  }
  return { header: block.header, transactions };
}
