// Plain decimal text to whole units and back, exactly or not at all.
import { type Amount, amountOf, type CurrencyId } from './amount.ts';

/** The longest decimal text that is read: 78 digits hold any 256-bit number, and a point. */
const MAX_DECIMAL_LENGTH = 80;
const PLAIN_DECIMAL = /^[0-9]+(?:\.[0-9]+)?$/;

/**
 * Reads "12.5" as units of 10^-decimals (decision A9): digits and at most one point, no sign, no exponent,
 * no spaces. More digits behind the point than `decimals` are refused, never rounded; null when refused.
 */
export function parseDecimal(text: string, decimals: number): bigint | null {
  if (text.length > MAX_DECIMAL_LENGTH || !PLAIN_DECIMAL.test(text)) return null;
  const [whole = '', fraction = ''] = text.split('.');
  if (fraction.length > decimals) return null;
  return BigInt(whole + fraction.padEnd(decimals, '0'));
}

/** Writes units as the shortest plain decimal that `parseDecimal` reads back to the same units. */
export function formatDecimal(units: bigint, decimals: number): string {
  const sign = units < 0n ? '-' : '';
  const digits = (units < 0n ? -units : units).toString().padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '');
  return fraction === '' ? sign + whole : `${sign}${whole}.${fraction}`;
}

/** An amount from decimal text, or null where the text is not a plain decimal of that precision. */
export function parseAmount(
  text: string,
  currency: { readonly currencyId: CurrencyId; readonly decimals: number },
): Amount | null {
  const units = parseDecimal(text, currency.decimals);
  return units === null ? null : amountOf(currency.currencyId, units);
}

/** An amount as decimal text on the wire. */
export function formatAmount(amount: Amount, currency: { readonly decimals: number }): string {
  return formatDecimal(amount.units, currency.decimals);
}
