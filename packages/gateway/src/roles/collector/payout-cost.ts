// What a payout costs its wallet at current prices, for any amount, and with no energy or bandwidth left.
import { nativeCurrency } from '@ducat/core/chain/chain';
import { type Amount, amountOf } from '@ducat/core/money/amount';
import type { ChainWriter } from '../../chains/port/writer.ts';

/** More than any address holds. Providers then estimate the usual transfer, and report what the address holds. */
export const MUCH = 1n << 200n;

export interface PayoutCost {
  readonly expected: Amount;
  /** The most that the payout can cost under its terms. */
  readonly most: Amount;
}

/**
 * The cost of paying out a token, because a token costs more to send than the coin; of the coin on a chain without tokens.
 * Throws Outage where the chain is away.
 */
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
