// The root over a block's transactions, whose leaves hold the signatures and the result of each one.
import { sha256 } from '../wire/sha256.ts';

const digestBytes = 32;

/** The root as hex, from the hash of every whole transaction. An odd last node moves up unchanged. */
export function transactionsRoot(leaves: readonly string[]): string {
  if (leaves.length === 0) return '00'.repeat(digestBytes);
  // Two neighbours are hashed into the node above them, which overwrites their memory.
  const level = Buffer.from(leaves.join(''), 'hex');
  for (let count = leaves.length; count > 1; count = Math.ceil(count / 2)) {
    for (let place = 0; place < count; place += 2) {
      const from = place * digestBytes;
      const pair = level.subarray(from, from + 2 * digestBytes);
      if (place + 1 < count) level.write(sha256(pair), from / 2, 'hex');
      else pair.copy(level, from / 2, 0, digestBytes);
    }
  }
  return level.toString('hex', 0, digestBytes);
}
