// RLP written straight from the hex text that nodes send, so that nothing is turned into bytes twice.

/** Encodes a byte string, given and returned as hex without prefix. */
export function rlpBytes(hex: string): string {
  if (hex.length === 2 && hex < '80') return hex;
  return prefix(hex.length / 2, 0x80) + hex;
}

/** Encodes `0x` data, leading zeros kept: hashes, addresses, call data. */
export function rlpData(data: string): string {
  return rlpBytes(data.slice(2));
}

/** Encodes a `0x` quantity as RLP's integer: no leading zeros, zero is the empty string. */
export function rlpQuantity(quantity: string): string {
  if (quantity === '0x0') return '80';
  const digits = quantity[2] === '0' ? quantity.slice(2).replace(/^0+/, '') : quantity.slice(2);
  return rlpBytes(digits.length % 2 === 0 ? digits : `0${digits}`);
}

/** Wraps encoded items, already joined, into a list. */
export function rlpList(items: string): string {
  return prefix(items.length / 2, 0xc0) + items;
}

// Writing a byte as hex is half of the work of this file, so the texts of all bytes are made once.
const bytes = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

function prefix(length: number, offset: number): string {
  if (length < 56) return byteText(offset + length);
  if (length < 256) return byteText(offset + 56) + byteText(length);
  const digits = length.toString(16);
  const even = digits.length % 2 === 0 ? digits : `0${digits}`;
  return byteText(offset + 55 + even.length / 2) + even;
}

/** Hex of odd length gives a fractional byte. Its text is no hex, so the hash refuses it. */
function byteText(byte: number): string {
  return bytes[byte] ?? 'odd';
}
