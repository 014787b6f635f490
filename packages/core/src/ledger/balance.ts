// What an app owns in one currency, summed up from its accounts.
import { type Amount, add, compare, subtract, zero } from '../money/amount.ts';
import type { AccountKind } from './account.ts';

export interface Balance {
  /** All money of the app, also at addresses from which moving it is not worth the cost. */
  readonly total: Amount;
  readonly operable: Amount;
  /** Money that payouts have bound, that was received without an order and waits for assignment, or that cannot be moved. */
  readonly frozen: Amount;
}

/** Money of an app that deposit addresses hold and that is not moved into its wallet. */
export interface Stuck {
  /** Holdings that are worth less than moving them costs, or less than the operator's threshold. */
  readonly small: Amount;
  /** Holdings that the token refuses to move, or that an operator has to look at. */
  readonly frozen: Amount;
}

/** The balance an app is shown, from the balances of its accounts in one currency. */
export function balanceOf(
  currencyId: number,
  accounts: readonly { readonly kind: AccountKind; readonly balance: Amount }[],
  stuck: Stuck = { small: zero(currencyId), frozen: zero(currencyId) },
): Balance {
  let available = zero(currencyId);
  let frozen = zero(currencyId);
  for (const { kind, balance } of accounts) {
    if (kind === 'available') available = add(available, balance);
    if (kind === 'frozen' || kind === 'unassigned') frozen = add(frozen, balance);
  }
  // Holdings contain the gateway's fees, which are not available to the app. So a deduction is at most what is available.
  const unmovable = lesser(stuck.frozen, available);
  const movable = subtract(available, unmovable);
  // mark: operable-is-what-can-be-moved
  const operable = subtract(movable, lesser(stuck.small, movable));
  return { total: add(available, frozen), operable, frozen: add(frozen, unmovable) };
}

function lesser(one: Amount, other: Amount): Amount {
  return compare(one, other) < 0 ? one : other;
}
