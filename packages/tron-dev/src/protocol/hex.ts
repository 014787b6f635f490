// Hex and UTF-8 in this chain: bytes are kept in memory as lower-case hex without a prefix.
import { bytesToHex as toHex, hexToBytes as fromHex, utf8ToBytes } from '@noble/hashes/utils.js';

export const bytesToHex = toHex;

/** The bytes of a hex text of even length, in either case, with or without 0x. Throws on anything else. */
export function hexToBytes(hex: string): Uint8Array {
  return fromHex(hex.startsWith('0x') ? hex.slice(2) : hex);
}

export function isHex(text: string): boolean {
  return text.length % 2 === 0 && /^[0-9a-f]*$/i.test(text);
}

export function textToHex(text: string): string {
  return toHex(utf8ToBytes(text));
}

/** The text behind the bytes, or null where they are not valid UTF-8. */
export function hexToText(hex: string): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(hexToBytes(hex));
  } catch {
    return null;
  }
}

/** A non-negative integer as big-endian hex of exactly `lengthBytes` bytes. */
export function numberToHex(value: bigint | number, lengthBytes: number): string {
  return value.toString(16).padStart(lengthBytes * 2, '0');
}
