// What a payout costs its wallet at current prices, for any amount, and with no energy or bandwidth left.
import { type ChainDefinition, nativeCurrency } from '@ducat/core/chain/chain';
import type { Currency } from '@ducat/core/chain/currency';
import { type Amount, amountOf } from '@ducat/core/money/amount';
import type { ChainWriter } from '../../chains/port/writer.ts';

/** More than any address holds. Providers then estimate the usual transfer, and report what the address holds. */
export const MUCH = 1n << 200n;

export interface PayoutCost {
  readonly expected: Amount;
  /** The most that the payout can cost under its terms. */
  readonly most: Amount;
}

/** A token that is on, because a token costs more to send than the coin; the coin where no token is on. */
export function usualCurrency(definition: ChainDefinition): Currency {
  const token = definition.currencies.find(({ contract, enabled }) => enabled && contract !== null);
  return token ?? nativeCurrency(definition);
}

/** Null where no payout is possible. Throws Outage where the chain is away. */
export async function payoutCost(
  { estimate }: Pick<ChainWriter, 'estimate'>,
  from: string,
  currency: Currency,
): Promise<PayoutCost | null> {
  const amount = amountOf(currency.currencyId, MUCH);
  const usual = await estimate({ from, to: from, currency, amount });
  if (usual.outcome !== 'possible') return null;
  const { expected, most } = usual.unaided ?? usual;
  return { expected, most };
}
