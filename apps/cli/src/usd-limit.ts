// Limits in USD as options and as text. An option of commander cannot be null, so "off" means no limit.
import { InvalidArgumentError } from 'commander';
import { formatDecimal, parseDecimal } from '@ducat/core/money/decimal';
import { VALUE_DECIMALS } from '@ducat/core/payout/open-payout';

/** In 10^-6 USD. */
export type UsdLimit = bigint | 'off';

/** Reads a limit from an option. Throws InvalidArgumentError. */
export function usdLimit(text: string): UsdLimit {
  if (text === 'off') return text;
  const units = parseDecimal(text, VALUE_DECIMALS);
  if (units === null) throw new InvalidArgumentError('an amount of USD such as 10000, or off');
  return units;
}

export function limitOf<Limit>(limit: Limit | 'off'): Limit | null {
  return limit === 'off' ? null : limit;
}

/** A limit as text; null stays null. */
export function usd(value: bigint | null): string | null {
  return value === null ? null : formatDecimal(value, VALUE_DECIMALS);
}

export function usdOrOff(value: bigint | null): string {
  return value === null ? 'off' : `${usd(value)} USD`;
}
