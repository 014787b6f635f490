// What an app owns in one currency, summed up from its accounts.
import { type Amount, add, zero } from '../money/amount.ts';
import type { AccountKind } from './account.ts';

export interface Balance {
  /** Operable plus frozen. */
  readonly total: Amount;
  readonly operable: Amount;
  /** Bound by payouts, or received without an order and waiting for assignment. */
  readonly frozen: Amount;
}

/** The balance an app is shown, from the balances of its accounts in one currency. */
export function balanceOf(
  currencyId: number,
  accounts: readonly { readonly kind: AccountKind; readonly balance: Amount }[],
): Balance {
  let operable = zero(currencyId);
  let frozen = zero(currencyId);
  for (const { kind, balance } of accounts) {
    if (kind === 'available') operable = add(operable, balance);
    if (kind === 'frozen' || kind === 'unassigned') frozen = add(frozen, balance);
  }
  return { total: add(operable, frozen), operable, frozen };
}
