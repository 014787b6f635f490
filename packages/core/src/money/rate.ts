// A price with its age and source, and the two conversions that use it.
import { assert } from '../assert.ts';
import { type Amount, amountOf, divide, type Rounding } from './amount.ts';
import { parseDecimal } from './decimal.ts';
import { type Evidence, RATE_DECIMALS } from './reading.ts';

/** The price of one whole token in a fiat currency: `priceUnits` counts 10^-18 of that fiat. */
export interface Rate {
  readonly fiat: string;
  readonly priceUnits: bigint;
}

/** A rate together with what it rests on, kept with the order as evidence. */
export interface Quote {
  readonly rate: Rate;
  /** Unix time in seconds of the oldest moving price the rate rests on; daily rates have their time in the evidence. */
  readonly at: number;
  readonly source: string;
  /** What the rate was made from; empty where it was made up. */
  readonly evidence: readonly Evidence[];
}

/** Reads a positive price such as "1.0004", or null. */
export function parseRate(fiat: string, price: string): Rate | null {
  const priceUnits = parseDecimal(price, RATE_DECIMALS);
  return priceUnits === null || priceUnits === 0n ? null : { fiat, priceUnits };
}

interface Precision {
  readonly currencyId: number;
  readonly decimals: number;
  readonly displayDecimals: number;
}

/**
 * Tokens for a fiat sum (decision B2): fiat / rate, rounded at the currency's display precision, which may be
 * coarser than its base unit. `fiatUnits` counts 10^-fiatDecimals.
 */
export function tokensFor(
  fiatUnits: bigint,
  fiatDecimals: number,
  rate: Rate,
  currency: Precision,
  rounding: Rounding,
): Amount {
  const displayDecimals = Math.min(currency.displayDecimals, currency.decimals);
  const numerator = fiatUnits * 10n ** BigInt(RATE_DECIMALS + displayDecimals);
  const denominator = 10n ** BigInt(fiatDecimals) * rate.priceUnits;
  const display = divide(numerator, denominator, rounding);
  return amountOf(currency.currencyId, display * 10n ** BigInt(currency.decimals - displayDecimals));
}

/**
 * What an amount is worth in another currency, by the prices of both in one fiat currency, rounded at the other's
 * display precision.
 */
export function convert(
  amount: Amount,
  from: { readonly decimals: number; readonly rate: Rate },
  to: Precision & { readonly rate: Rate },
  rounding: Rounding,
): Amount {
  assert(from.rate.fiat === to.rate.fiat, 'two prices are compared in one fiat currency');
  const displayDecimals = Math.min(to.displayDecimals, to.decimals);
  const numerator = amount.units * from.rate.priceUnits * 10n ** BigInt(displayDecimals);
  const denominator = to.rate.priceUnits * 10n ** BigInt(from.decimals);
  const display = divide(numerator, denominator, rounding);
  return amountOf(to.currencyId, display * 10n ** BigInt(to.decimals - displayDecimals));
}

/** The fiat value of an amount, in units of 10^-fiatDecimals. Used for display only. */
export function fiatValueOf(
  amount: Amount,
  rate: Rate,
  currency: { readonly decimals: number },
  fiatDecimals: number,
  rounding: Rounding,
): bigint {
  const numerator = amount.units * rate.priceUnits * 10n ** BigInt(fiatDecimals);
  return divide(numerator, 10n ** BigInt(RATE_DECIMALS + currency.decimals), rounding);
}
