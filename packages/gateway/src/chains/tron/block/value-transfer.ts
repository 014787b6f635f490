// One value transfer inside a transaction, before it is tied to its transaction and block.
import type { Currency } from '@ducat/core/chain/currency';
import type { BlockHeader, Transfer } from '@ducat/core/chain/transfer';
import { amountOf } from '@ducat/core/money/amount';

export interface ValueTransfer {
  readonly currency: Currency;
  /** Counted inside the transaction, see Transfer. */
  readonly position: string;
  readonly from: string;
  readonly to: string;
  /** Base units, above zero. */
  readonly units: bigint;
}

/** Where value is transferred: which transaction of which block. */
export interface Place {
  readonly chain: string;
  readonly txId: string;
  readonly block: BlockHeader;
}

export function transferAt(
  { chain, txId, block }: Place,
  { currency, units, position, from, to }: ValueTransfer,
): Transfer {
  // A spread here would cost a sixth of the reading of a block.
  return { chain, txId, block, position, from, to, amount: amountOf(currency.currencyId, units) };
}
