// A transfer as every family reports it, from where it stands and what moved.
import type { BlockHeader, Transfer } from '@ducat/core/chain/transfer';
import { amountOf, type CurrencyId } from '@ducat/core/money/amount';

export interface Place {
  readonly chain: string;
  readonly txId: string;
  readonly block: BlockHeader;
}

/** Native coin or tokens; base units, above zero. */
export interface Value {
  readonly from: string;
  readonly to: string;
  readonly units: bigint;
}

/** `position` counts inside the transaction. A spread would make reading a block a sixth slower, so parts are listed. */
export function transferAt(
  { chain, txId, block }: Place,
  position: string,
  currencyId: CurrencyId,
  { from, to, units }: Value,
): Transfer {
  return { chain, txId, block, position, from, to, amount: amountOf(currencyId, units) };
}
