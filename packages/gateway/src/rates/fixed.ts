// Made-up prices that never move, for the local demo and for tests: nobody may be charged by them.
import { assert } from '@ducat/core/assert';
import type { Currency } from '@ducat/core/chain/currency';
import { parseDecimal } from '@ducat/core/money/decimal';
import { RATE_DECIMALS } from '@ducat/core/money/reading';
import { accept, refuse } from '@ducat/core/result';
import { unixTime, type World } from '../world.ts';
import type { RateSource } from './port.ts';

/** Every quote made from these prices is marked with it, for as long as the order lives. */
export const FIXED_SOURCE = 'fixed demo rates';

const WARNING = 'Rates are fixed and made up for the demo. Do not charge anybody by them.';

/** US dollars for one token, whatever chain it lives on. */
const usdPrices: Readonly<Record<string, string>> = {
  ETH: '4000',
  BNB: '900',
  WKC: '0.5',
  TRX: '0.3',
  USDT: '1',
  USDC: '1',
};

/** What one US dollar costs in each of the 23 fiat names. */
const fiatPerUsd: Readonly<Record<string, string>> = {
  USD: '1',
  USDT: '1',
  JPY: '150',
  CHF: '0.8',
  CAD: '1.4',
  NOK: '10',
  SEK: '9.5',
  HKD: '7.8',
  SGD: '1.3',
  KRW: '1400',
  TWD: '31',
  CNY: '7.1',
  INR: '88',
  BRL: '5.4',
  MXN: '18.5',
  ZAR: '17.5',
  RUB: '80',
  TRY: '42',
  EUR: '0.9',
  GBP: '0.75',
  AUD: '1.5',
  VND: '26000',
  THB: '32.5',
};

/** A source that always answers and is always young. */
export function createFixedRates(world: World): RateSource {
  return {
    warning: WARNING,
    quote: (currency: Currency, fiat: string) => {
      const usd = usdPrices[currency.symbol];
      const perUsd = fiatPerUsd[fiat];
      if (usd === undefined || perUsd === undefined) {
        const message = `the fixed demo rates have no price of ${currency.symbol} in ${fiat}`;
        return Promise.resolve(refuse({ code: 'rate-unavailable', message }));
      }
      const rate = { fiat, priceUnits: half(usd) * half(perUsd) };
      return Promise.resolve(accept({ rate, at: unixTime(world), source: FIXED_SOURCE, evidence: [] }));
    },
  };
}

/** A factor in units of half the rate's decimals, so that the product of two is in the rate's own units. */
function half(text: string): bigint {
  const units = parseDecimal(text, RATE_DECIMALS / 2);
  assert(units !== null, `${text} is a plain decimal`);
  return units;
}
