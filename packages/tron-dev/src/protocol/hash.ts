// The two hash functions of Tron, over hex.
import { sha256 as sha256Bytes } from '@noble/hashes/sha2.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { bytesToHex, hexToBytes } from './hex.ts';

export function sha256(hex: string): string {
  return bytesToHex(sha256Bytes(hexToBytes(hex)));
}

export function keccak256(hex: string): string {
  return bytesToHex(keccak_256(hexToBytes(hex)));
}
