// What amounts are worth in USD at the current rates, for people to look at. No decision depends on it.
import type { Amount } from '@ducat/core/money/amount';
import { isPositive } from '@ducat/core/money/amount';
import { VALUE_DECIMALS } from '@ducat/core/payout/open-payout';
import { fiatValueOf, type Rate } from '@ducat/core/money/rate';
import { Outage } from '../../runtime/outage.ts';
import type { DataDeps } from './data-port.ts';

/** In 10^-6 USD; null without a price. */
export type WorthOf = (amount: Amount) => Promise<bigint | null>;

/** Asks for each currency once. */
export function createWorth({ catalogue, rates }: Pick<DataDeps, 'catalogue' | 'rates'>): WorthOf {
  const asked = new Map<number, Promise<Rate | null>>();
  const rateOf = (currencyId: number) => {
    const known = asked.get(currencyId) ?? askFor(currencyId);
    asked.set(currencyId, known);
    return known;
  };
  async function askFor(currencyId: number): Promise<Rate | null> {
    const listing = catalogue.find(currencyId);
    if (listing === null) return null;
    try {
      const quote = await rates.quote(listing.currency, 'USD');
      return quote.ok ? quote.value.rate : null;
    } catch (error) {
      if (error instanceof Outage) return null;
      throw error;
    }
  }
  return async (amount) => {
    if (!isPositive(amount)) return 0n;
    const rate = await rateOf(amount.currencyId);
    const listing = catalogue.find(amount.currencyId);
    if (rate === null || listing === null) return null;
    return fiatValueOf(amount, rate, listing.currency, VALUE_DECIMALS, 'down');
  };
}

/** Null where one of the values is not known. */
export function sumOf(values: readonly (bigint | null)[]): bigint | null {
  return values.reduce<bigint | null>(
    (sum, value) => (sum === null || value === null ? null : sum + value),
    0n,
  );
}
