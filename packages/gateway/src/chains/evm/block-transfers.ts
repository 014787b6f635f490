// Every movement of the watched currencies in a block that is proven, in the order of the chain.
import { amountOf } from '@ducat/core/money/amount';
import type { ChainBlock } from '../port.ts';
import type { ExecutedBlock } from './executed-block.ts';
import type { InnerMovements } from './inner-movements.ts';

/** A transaction's own value comes first, then its tokens, then what moved inside it. */
export function chainBlock(chain: string, block: ExecutedBlock, inner: InnerMovements): ChainBlock {
  const { header } = block;
  const transfers = block.transactions.flatMap(({ id: txId, movements }, index) =>
    [...movements, ...(inner.get(index) ?? [])].map(({ currency, units, position, from, to }) => ({
      chain,
      txId,
      position,
      from,
      to,
      amount: amountOf(currency.currencyId, units),
      block: header,
    })),
  );
  const untraced = block.transactions
    .filter((_, index) => inner.get(index) === null)
    .map(({ id: txId }) => ({ txId, reason: 'too-much-to-trace' as const }));
  return { header, transfers, untraced };
}
