// The root over a block's transactions, whose leaves hold the signatures and the result of each one.
import { sha256 } from '../wire/sha256.ts';

const emptyRoot = '00'.repeat(32);
/** Hexadecimal digits of what a node above the leaves is hashed from. */
const innerNodeDigits = 128;

/**
 * Whether these are the transactions of the block with that root. Leaves and the nodes above them are hashed alike, so
 * a leaf as long as such a node could be one, and prove another list by the same root; no transaction that moves
 * anything is that short.
 */
export function rootProves(transactions: readonly string[], root: string): boolean {
  // mark: no-inner-node-for-a-leaf
  if (transactions.some(({ length }) => length === innerNodeDigits)) return false;
  return transactionsRoot(transactions) === root;
}

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
