// What an address holds against what the books say: what counts as a difference, and which one suspends a currency.
import type { Currency } from '../chain/currency.ts';
import { isMainCurrency } from '../chain/currency.ts';
import { type Amount, add, amountOf, compare, isZero, negate, zero } from '../money/amount.ts';

/**
 * Anybody can send the native currency to one of our addresses by a contract. The search for internal transactions books
 * it as an unassigned receipt; only a surplus that stays unexplained for this long suspends the currency.
 */
export const NATIVE_SURPLUS_GRACE_MS = 3_600_000;

/** A difference that was confirmed by a quorum, and since when it is there. */
export interface OpenDifference {
  /** Chain less books: negative is missing. */
  readonly difference: Amount;
  readonly sinceMs: number;
}

/** The smallest sum beyond dust: a millionth of a whole token, which is at least one base unit. */
export function smallestBeyondDust({
  currencyId,
  decimals,
}: Pick<Currency, 'currencyId' | 'decimals'>): Amount {
  return amountOf(currencyId, 10n ** BigInt(Math.max(0, decimals - 6)));
}

/** An amount without its sign. */
export function magnitude(amount: Amount): Amount {
  return compare(amount, zero(amount.currencyId)) < 0 ? negate(amount) : amount;
}

/**
 * For each address the difference that at least `quorum` reports share, zero included; null where none is shared by so
 * many. `reports` holds one list for each provider, all for the same addresses.
 */
export function agreedDifferences(
  reports: readonly (readonly Amount[])[],
  quorum: number,
): readonly (Amount | null)[] {
  const [first = []] = reports;
  return first.map((_, place) => {
    const differences = reports.flatMap((report) => report[place] ?? []);
    const isShared = (one: Amount) =>
      differences.filter((other) => compare(one, other) === 0).length >= quorum;
    return differences.find(isShared) ?? null;
  });
}

/** Those of the differences that suspend their currency now; none while their sum is dust. */
export function suspendingDifferences<Row extends OpenDifference>(
  currency: Currency,
  differences: readonly Row[],
  nowMs: number,
): readonly Row[] {
  const counted = differences.filter(({ difference, sinceMs }) => {
    if (isZero(difference)) return false;
    const isSurplus = compare(difference, zero(currency.currencyId)) > 0;
    return !isSurplus || !isMainCurrency(currency) || sinceMs <= nowMs - NATIVE_SURPLUS_GRACE_MS;
  });
  const sum = counted.map(({ difference }) => magnitude(difference)).reduce(add, zero(currency.currencyId));
  return compare(sum, smallestBeyondDust(currency)) < 0 ? [] : counted;
}
