// What a payout costs its wallet at the prices of now, whatever it pays out, and where others have used its resources up.
import { nativeCurrency } from '@ducat/core/chain/chain';
import { type Amount, amountOf } from '@ducat/core/money/amount';
import type { ChainWriter } from '../../chains/port/writer.ts';

/** More than any address holds: the providers then answer for the usual transfer, and say what is held. */
export const MUCH = 1n << 200n;

export interface PayoutCost {
  readonly expected: Amount;
  /** What its terms allow it to become. */
  readonly most: Amount;
}

/** Of a token where the chain has one, which costs more than the coin. Throws Outage where the chain is away. */
export async function payoutCost(
  { definition, estimate }: Pick<ChainWriter, 'definition' | 'estimate'>,
  from: string,
): Promise<PayoutCost | null> {
  const native = nativeCurrency(definition);
  const currency = definition.currencies.find(({ contract }) => contract !== null) ?? native;
  const amount = amountOf(currency.currencyId, MUCH);
  const usual = await estimate({ from, to: from, currency, amount });
  if (usual.outcome !== 'possible') return null;
  const { expected, most } = usual.unaided ?? usual;
  return { expected, most };
}
