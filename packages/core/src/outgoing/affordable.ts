// How many transactions of one sender its coin pays for together, where they share energy and bandwidth.
import { add, type Amount, compare, times } from '../money/amount.ts';

/** In the native currency. */
export interface CoinNeed {
  /** The most that it costs where others have used energy and bandwidth up. */
  readonly most: Amount;
  /** Coin that it moves besides; null where it moves none, or all but its fee. */
  readonly moved: Amount | null;
  /** What the sender holds. */
  readonly coin: Amount;
}

/**
 * So many of them, from the first. On Tron one that finds neither energy nor coin fails in its block, burns what there is, and
 * is never tried again; so none is signed for coin that those before it may take. `pending` of the sender are in no block yet,
 * and each may take as much as the dearest here. Null stands for a transaction that shares nothing.
 *
 * Example: 40 TRX, three transfers of a token for up to 17 TRX each. Two are signed now, and the third after a block has them.
 */
export function countAffordable(costs: readonly (CoinNeed | null)[], pending: number): number {
  let spent: Amount | null = null;
  let count = 0;
  for (const cost of costs) {
    if (cost !== null) {
      const { most, moved, coin } = cost;
      const before: Amount = spent ?? times(dearest(costs, most), BigInt(pending));
      const after: Amount = add(before, moved === null ? most : add(most, moved));
      // Its own estimate says that it can be paid, and nothing else of the sender is under way.
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
