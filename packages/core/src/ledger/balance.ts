// What an app owns in one currency, summed up from its accounts.
import { type Amount, add, compare, subtract, zero } from '../money/amount.ts';
import type { AccountKind } from './account.ts';

export interface Balance {
  /** All of it, also what lies where moving it is not worth it. */
  readonly total: Amount;
  readonly operable: Amount;
  /** Bound by payouts, received without an order and waiting for assignment, or where no transfer moves it. */
  readonly frozen: Amount;
}

/** What of an app's money lies at deposit addresses and cannot be moved into its wallet. */
export interface Stuck {
  /** It is worth less than moving it costs, or than the operator's threshold. */
  readonly small: Amount;
  /** The token refuses to move it, or an operator has to look. */
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
  // Fees are part of what lies there and not of what is available, so either takes no more than there is.
  const unmovable = lesser(stuck.frozen, available);
  const movable = subtract(available, unmovable);
  // mark: operable-is-what-can-be-moved
  const operable = subtract(movable, lesser(stuck.small, movable));
  return { total: add(available, frozen), operable, frozen: add(frozen, unmovable) };
}

function lesser(one: Amount, other: Amount): Amount {
  return compare(one, other) < 0 ? one : other;
}
