// Ledger against chain: what both say is held, and what nobody has explained.
import { type Amount, type CurrencyId, isZero, subtract, zero } from '../money/amount.ts';

export interface Reconciliation {
  readonly currencyId: CurrencyId;
  readonly ledger: Amount;
  readonly chain: Amount;
  /** Chain less ledger: positive is money nobody booked, negative is money that is gone. */
  readonly unexplained: Amount;
}

/** Compares one currency: what the ledger holds against what our addresses hold together; nothing is zero. */
export function reconcileCurrency(
  currencyId: CurrencyId,
  ledger: Amount = zero(currencyId),
  chain: Amount = zero(currencyId),
): Reconciliation {
  return { currencyId, ledger, chain, unexplained: subtract(chain, ledger) };
}

export function isExplained(reconciliation: Reconciliation): boolean {
  return isZero(reconciliation.unexplained);
}
