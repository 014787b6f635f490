// How many transactions of one sender its coin pays for together, where they share energy and bandwidth.
import { add, type Amount, compare, times } from '../money/amount.ts';

/** What one transaction may take of its sender's coin. Amounts are in the native currency. */
export interface CoinNeed {
  /** The most that the transaction costs if others have used up the energy and bandwidth. */
  readonly most: Amount;
  /** Coin that the transaction moves besides its fee; null where it moves none, or all but its fee. */
  readonly moved: Amount | null;
  /** What the sender holds. */
  readonly coin: Amount;
}

/**
 * Returns how many of the transactions may be signed now, counted from the first. On Tron a transaction that finds neither
 * energy nor coin fails in its block, burns the coin that is there, and is never retried. So a transaction is signed only
 * for coin that the ones before it cannot take. `pending` counts the sender's transactions that are in no block yet: each
 * may take as much as the dearest of `costs`. A cost of null stands for a transaction that shares nothing.
 *
 * Example: 40 TRX, and three transfers of a token for up to 17 TRX each. Two are signed now. The third is signed once a
 * block holds these two.
 */
export function countAffordable(costs: readonly (CoinNeed | null)[], pending: number): number {
  let spent: Amount | null = null;
  let count = 0;
  for (const cost of costs) {
    if (cost !== null) {
      const { most, moved, coin } = cost;
      const before: Amount = spent ?? times(dearest(costs, most), BigInt(pending));
      const after: Amount = add(before, moved === null ? most : add(most, moved));
      // No other transaction of the sender is under way, and the estimate of this one says that its coin is enough.
      const isAlone = pending === 0 && count === 0;
      // mark: coin-is-promised-once
      if (!isAlone && compare(coin, after) < 0) return count;
      spent = after;
    }
    count++;
  }
  return count;
}

function dearest(costs: readonly (CoinNeed | null)[], first: Amount): Amount {
  return costs.reduce<Amount>(
    (most, cost) => (cost !== null && compare(cost.most, most) > 0 ? cost.most : most),
    first,
  );
}
