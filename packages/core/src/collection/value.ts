// What amounts are worth in USDT, to compare holdings with the cost of moving them. Books nothing.
import { type Currency, rateAssetOf } from '../chain/currency.ts';
import type { Amount, Rounding } from '../money/amount.ts';
import { fiatValueOf, parseRate, type Rate } from '../money/rate.ts';
import { assert } from '../assert.ts';
import { VALUE_DECIMALS } from './policy.ts';

/** The currency in which values are compared, as the sources of rates know it. */
export const VALUE_FIAT = 'USDT';

const one = parseRate(VALUE_FIAT, '1');

/** The rate of a currency that is USDT itself and needs no source; null where a source has to be asked. */
export function fixedRateOf(currency: Currency): Rate | null {
  return rateAssetOf(currency) === VALUE_FIAT ? one : null;
}

/** In units of 10^-6 USDT. */
export function valueOf(amount: Amount, currency: Currency, rate: Rate, rounding: Rounding): bigint {
  assert(rate.fiat === VALUE_FIAT, 'values are compared in USDT');
  return fiatValueOf(amount, rate, currency, VALUE_DECIMALS, rounding);
}
