// Ledger against chain: what both say is held, and what nobody has explained.
import { type Amount, add, type CurrencyId, isZero, subtract, zero } from '../money/amount.ts';

export interface Reconciliation {
  readonly currencyId: CurrencyId;
  readonly ledger: Amount;
  readonly chain: Amount;
  /** Chain less ledger: positive is money nobody booked, negative is money that is gone. */
  readonly unexplained: Amount;
}

/** Compares one currency: what the ledger holds against the sum of the balances of our addresses. */
export function reconcileCurrency(
  currencyId: CurrencyId,
  ledger: Amount | undefined,
  balances: readonly Amount[],
): Reconciliation {
  const held = ledger ?? zero(currencyId);
  const chain = balances.reduce(add, zero(currencyId));
  return { currencyId, ledger: held, chain, unexplained: subtract(chain, held) };
}

export function isExplained(reconciliation: Reconciliation): boolean {
  return isZero(reconciliation.unexplained);
}
