// Reads a price as sources write it, exponent and all, exactly up to the last digit that a price may have.
import { divide, type Rounding } from './amount.ts';
import { RATE_DECIMALS } from './reading.ts';

/** The longest text that is read; sources write at most about 20 digits. */
const MAX_PRICE_LENGTH = 60;
/** Exponents beyond this belong to no price of anything. */
const MAX_EXPONENT = 40;
/** What a JSON number and a plain decimal may look like. */
const PRICE = /^(0|[1-9][0-9]*)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]{1,4}))?$/;

/**
 * "4000.5" or "6.9e-5" in units of 10^-18. Digits behind the eighteenth are rounded as named, because sources print
 * more of them than they mean. Null for a sign, an absurd length or exponent, and everything that is no number.
 */
export function parsePrice(text: string, rounding: Rounding): bigint | null {
  const parts = text.length > MAX_PRICE_LENGTH ? null : PRICE.exec(text);
  if (parts === null) return null;
  const [, whole = '', fraction = '', exponentText = '0'] = parts;
  const exponent = Number(exponentText);
  if (Math.abs(exponent) > MAX_EXPONENT) return null;
  const scale = RATE_DECIMALS + exponent - fraction.length;
  const digits = BigInt(whole + fraction);
  return scale >= 0 ? digits * 10n ** BigInt(scale) : divide(digits, 10n ** BigInt(-scale), rounding);
}
