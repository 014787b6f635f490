// Tron addresses: 21 bytes that begin with 41; hex inside, base58check outside, 20 bytes in the virtual machine.
import { createBase58check } from '@scure/base';
import { sha256 as sha256Bytes } from '@noble/hashes/sha2.js';
import { bytesToHex, hexToBytes } from './hex.ts';

const base58check = createBase58check(sha256Bytes);

/** The 34 characters of an address given as 42 hex digits. */
export function toBase58(addressHex: string): string {
  return base58check.encode(hexToBytes(addressHex));
}

/** 42 lower-case hex digits for an address in base58check or hex, or null where it is neither. */
export function parseAddress(text: string): string | null {
  if (/^41[0-9a-f]{40}$/i.test(text)) return text.toLowerCase();
  if (/^0x[0-9a-f]{40}$/i.test(text)) return `41${text.slice(2).toLowerCase()}`;
  try {
    const hex = bytesToHex(base58check.decode(text));
    return isAddressHex(hex) ? hex : null;
  } catch {
    return null;
  }
}

export function isAddressHex(hex: string): boolean {
  return /^41[0-9a-f]{40}$/.test(hex);
}
