// Addresses of ours that have energy of an operator's stake which no collection accounts for: what wallets keep, and strays.
import { type Amount, add, type CurrencyId, isPositive, zero } from '../money/amount.ts';
import type { KeyPath } from '../signing/key-path.ts';

/** A wallet, or a deposit address without a collection, that has some of a stake. Amounts are in the native currency. */
export interface StakePlace {
  readonly address: string;
  readonly path: KeyPath;
  /** By the chain: all that is delegated to the address, and the part of that without a lock. */
  readonly stake: Amount;
  readonly withoutLock: Amount;
}

/** What the staker's own key delegated to wallets. It stays there: payouts use it before they burn coin. */
export function stakeAtWallets(places: readonly StakePlace[], nativeId: CurrencyId): Amount {
  const wallets = places.filter(({ path }) => path.branch === 'wallet');
  return wallets.reduce((sum, { stake }) => add(sum, stake), zero(nativeId));
}

/**
 * At deposit addresses. Example: a backup was restored that is older than the delegation of a collection. What is locked is
 * left out: only the staker's own key delegates with a lock.
 */
export function strayPlaces(places: readonly StakePlace[]): readonly StakePlace[] {
  return places.filter(
    // mark: only-strays-are-taken-back
    ({ path, withoutLock }) => path.branch === 'deposit' && isPositive(withoutLock),
  );
}

export function strayStake(places: readonly StakePlace[], nativeId: CurrencyId): Amount {
  return strayPlaces(places).reduce((sum, { withoutLock }) => add(sum, withoutLock), zero(nativeId));
}
