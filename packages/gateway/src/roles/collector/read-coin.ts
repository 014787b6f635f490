// What a wallet holds of the coin at the newest block, as nodes say: for warnings, and never for the books.
import { nativeCurrency } from '@ducat/core/chain/chain';
import { type Amount, amountOf } from '@ducat/core/money/amount';
import type { ChainWriter } from '../../chains/port/writer.ts';
import { MUCH } from './payout-cost.ts';

/** Null where nobody can say. Throws Outage where the chain is away. */
export async function readCoin(
  { definition, estimate }: Pick<ChainWriter, 'definition' | 'estimate'>,
  address: string,
): Promise<Amount | null> {
  const currency = nativeCurrency(definition);
  const amount = amountOf(currency.currencyId, MUCH);
  const tried = await estimate({ from: address, to: address, currency, amount });
  if (tried.outcome !== 'possible') return null;
  return tried.shortOf.find(({ held }) => held.currencyId === currency.currencyId)?.held ?? null;
}
