// Keccak-256 of bytes that are given as hex.
import { keccakOfBytes } from '@ducat/gateway/chains/keys/keccak';

/** The digest as 64 lower-case hex digits. */
export function keccakOfHex(hex: string): string {
  return keccakOfBytes(Buffer.from(hex, 'hex'));
}
