// What amounts of a chain's currencies are worth now, each currency asked for once.
import type { Currency } from '@ducat/core/chain/currency';
import { fixedRateOf, VALUE_FIAT, valueOf } from '@ducat/core/collection/value';
import type { Amount, Rounding } from '@ducat/core/money/amount';
import type { Rate } from '@ducat/core/money/rate';
import type { RateSource } from '../../rates/port.ts';
import { Outage } from '../../runtime/outage.ts';

/** In units of 10^-6 USDT; null without a price. */
export type Values = (amount: Amount, rounding: Rounding) => bigint | null;

/** Reads the rate of each of these currencies once. */
export async function readValues(rates: RateSource, currencies: readonly Currency[]): Promise<Values> {
  const known = new Map<number, { readonly currency: Currency; readonly rate: Rate }>();
  for (const currency of currencies) {
    const rate = fixedRateOf(currency) ?? (await rateOf(rates, currency));
    if (rate !== null) known.set(currency.currencyId, { currency, rate });
  }
  return (amount, rounding) => {
    const found = known.get(amount.currencyId);
    return found === undefined ? null : valueOf(amount, found.currency, found.rate, rounding);
  };
}

async function rateOf(rates: RateSource, currency: Currency): Promise<Rate | null> {
  try {
    const answer = await rates.quote(currency, VALUE_FIAT);
    return answer.ok ? answer.value.rate : null;
  } catch (error) {
    if (error instanceof Outage) return null;
    throw error;
  }
}
