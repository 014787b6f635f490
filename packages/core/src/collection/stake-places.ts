// Addresses of ours that have energy of an operator's stake: what wallets keep of it, and what the books do not account for.
import { type Amount, add, type CurrencyId, isPositive, zero } from '../money/amount.ts';
import type { KeyPath } from '../signing/key-path.ts';

/** An address of ours that has some of a stake. Amounts are in the native currency. */
export interface StakePlace {
  readonly address: string;
  readonly path: KeyPath;
  /** By the chain: all that is delegated to the address, and the part of that without a lock. */
  readonly stake: Amount;
  readonly withoutLock: Amount;
  /** Whether the books know a collection that has energy there, or a return that is on its way. */
  readonly isBooked: boolean;
}

/** What the staker's own key delegated to wallets. It stays there: payouts use it before they burn coin. */
export function stakeAtWallets(places: readonly StakePlace[], nativeId: CurrencyId): Amount {
  const wallets = places.filter(({ path }) => path.branch === 'wallet');
  return wallets.reduce((sum, { stake }) => add(sum, stake), zero(nativeId));
}

/**
 * Deposit addresses with energy that no collection accounts for. Example: a backup was restored that is older than the
 * delegation. What is locked is left out: only the staker's own key delegates with a lock.
 */
export function strayPlaces(places: readonly StakePlace[]): readonly StakePlace[] {
  return places.filter(
    // mark: only-strays-are-taken-back
    ({ path, isBooked, withoutLock }) => path.branch === 'deposit' && !isBooked && isPositive(withoutLock),
  );
}

export function strayStake(places: readonly StakePlace[], nativeId: CurrencyId): Amount {
  return strayPlaces(places).reduce((sum, { withoutLock }) => add(sum, withoutLock), zero(nativeId));
}
