// Keccak-256 of what nodes send as hex.
import { keccakOfBytes } from '../keys/keccak.ts';
import { LyingNode } from '../endpoint/lying-node.ts';

// One buffer for the module, since the digest is taken without a pause.
let scratch = Buffer.allocUnsafe(64 * 1024);

/**
 * Digest of bytes given as hex without prefix. Throws LyingNode for text that is not hex: it came from a node,
 * and it must not be cut short in silence.
 */
export function keccakOfHex(hex: string): string {
  const size = hex.length / 2;
  if (size > scratch.length) scratch = Buffer.allocUnsafe(size * 2);
  if (scratch.write(hex, 0, 'hex') !== size) throw new LyingNode('the answer holds text that is not hex');
  return keccakOfBytes(scratch.subarray(0, size));
}
