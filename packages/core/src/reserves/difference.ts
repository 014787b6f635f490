// Which differences between balances and books suspend a currency.
import { type Currency, isNativeCurrency } from '../chain/currency.ts';
import { dustOf } from '../chain/surplus.ts';
import { type Amount, add, compare, isZero, negate, zero } from '../money/amount.ts';

/**
 * Anybody can send the native currency to one of our addresses by a contract. The search for internal transactions books
 * it as an unassigned receipt; only a surplus that nothing has booked for this long suspends the currency.
 */
export const NATIVE_SURPLUS_GRACE_MS = 3_600_000;

/** A difference that a quorum reported, and since when it stands. */
export interface OpenDifference {
  /** Chain less books: negative is missing. */
  readonly difference: Amount;
  readonly sinceMs: number;
}

/**
 * The differences that suspend their currency now. None suspends it while all together are less than a millionth of a whole
 * token, or less than one base unit where a token has fewer digits.
 */
export function suspendingDifferences<Row extends OpenDifference>(
  currency: Currency,
  differences: readonly Row[],
  nowMs: number,
): readonly Row[] {
  const counted = differences.filter((one) => isCounted(currency, one, nowMs));
  const sum = counted.map(({ difference }) => magnitudeOf(difference)).reduce(add, zero(currency.currencyId));
  return compare(sum, dustOf(currency)) < 0 ? [] : counted;
}

function isCounted(currency: Currency, { difference, sinceMs }: OpenDifference, nowMs: number): boolean {
  if (isZero(difference)) return false;
  const isSurplus = compare(difference, zero(currency.currencyId)) > 0;
  if (!isSurplus || !isNativeCurrency(currency)) return true;
  // The search never books dust. So a stranger who sends dust to many addresses suspends nothing.
  return compare(difference, dustOf(currency)) > 0 && sinceMs <= nowMs - NATIVE_SURPLUS_GRACE_MS;
}

function magnitudeOf(amount: Amount): Amount {
  return compare(amount, zero(amount.currencyId)) < 0 ? negate(amount) : amount;
}
