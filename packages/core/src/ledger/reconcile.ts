// Ledger against chain: what both say is held, and what nobody has explained.
import { type Amount, compare, type CurrencyId, isZero, subtract, zero } from '../money/amount.ts';

export interface Reconciliation {
  readonly currencyId: CurrencyId;
  readonly ledger: Amount;
  readonly chain: Amount;
  /** Chain less ledger: positive is money nobody booked, negative is money that is gone. */
  readonly unexplained: Amount;
  /** Differences of single addresses added up without their signs, so that a loss cannot hide behind a surplus. */
  readonly astray: Amount;
}

/**
 * Compares one currency: what the ledger holds against what our addresses hold together; nothing is zero. `astray`
 * is the sum of `distance` over our addresses.
 */
export function reconcileCurrency(
  currencyId: CurrencyId,
  ledger: Amount = zero(currencyId),
  chain: Amount = zero(currencyId),
  astray: Amount = zero(currencyId),
): Reconciliation {
  return { currencyId, ledger, chain, unexplained: subtract(chain, ledger), astray };
}

/** How far two amounts of one currency are apart, never negative. */
export function distance(one: Amount, other: Amount): Amount {
  return compare(one, other) === -1 ? subtract(other, one) : subtract(one, other);
}

/** True only where the sums agree and every single address holds exactly its own. */
export function isExplained({ unexplained, astray }: Reconciliation): boolean {
  return isZero(unexplained) && isZero(astray);
}
