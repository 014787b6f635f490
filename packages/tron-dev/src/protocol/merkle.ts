// The Merkle root of a block's transactions.
import { sha256 } from './hash.ts';

/**
 * The root over the full bytes of every transaction, with signatures and results. An odd last node moves up unchanged.
 * An empty block has 32 zero bytes.
 */
export function merkleRoot(transactions: readonly string[]): string {
  let level = transactions.map((bytes) => sha256(bytes));
  if (level.length === 0) return '00'.repeat(32);
  while (level.length > 1) {
    const next: string[] = [];
    for (let i = 0; i < level.length; i += 2) {
      const left = level[i] ?? '';
      const right = level[i + 1];
      next.push(right === undefined ? left : sha256(left + right));
    }
    level = next;
  }
  return level[0] ?? '';
}
