// The root over a block's transactions, whose leaves hold the signatures and the result of each one.
import { sha256 } from './sha256.ts';

const emptyRoot = '00'.repeat(32);

/** Takes the bytes of every whole transaction. An odd last node moves up unchanged. */
export function transactionsRoot(transactions: readonly string[]): string {
  let level = transactions.map(sha256);
  while (level.length > 1) {
    const above: string[] = [];
    for (let place = 0; place < level.length; place += 2) {
      const [left = '', right] = level.slice(place, place + 2);
      above.push(right === undefined ? left : sha256(left + right));
    }
    level = above;
  }
  return level[0] ?? emptyRoot;
}
