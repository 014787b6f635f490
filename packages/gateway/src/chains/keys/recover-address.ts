// The address that signed a digest, on chains that kept Ethereum's curve and hash.
import { recover } from 'tiny-secp256k1';
import { keccakOfBytes } from './keccak.ts';

/**
 * The signer as 40 lower-case hex digits; null where no key gives this signature. A signature is r and s of 32 bytes each.
 */
export function recoverAddress(digest: Uint8Array, signature: Uint8Array, isOdd: boolean): string | null {
  try {
    const point = recover(digest, signature, isOdd ? 1 : 0, false);
    return point === null ? null : keccakOfBytes(point.subarray(1)).slice(24);
  } catch {
    // r or s is beyond the order of the curve.
    return null;
  }
}
