// Encodes Ethereum's RLP.

export type RlpItem = Uint8Array | readonly RlpItem[];

/** The encoding of bytes, or of a list of items. */
export function encodeRlp(item: RlpItem): Uint8Array {
  if (!(item instanceof Uint8Array)) {
    const body = Buffer.concat(item.map(encodeRlp));
    return Buffer.concat([prefix(0xc0, body.length), body]);
  }
  const [first] = item;
  if (item.length === 1 && first !== undefined && first < 0x80) return item;
  return Buffer.concat([prefix(0x80, item.length), item]);
}

/** A whole number as RLP writes it: the highest byte first, without leading zeros, so zero has no bytes. */
export function integerBytes(value: bigint | number): Uint8Array {
  const hex = value.toString(16);
  return value === 0n || value === 0
    ? Buffer.alloc(0)
    : Buffer.from(hex.padStart(hex.length + (hex.length % 2), '0'), 'hex');
}

/** A number of 32 bytes as RLP writes it. */
export function withoutZeros(bytes: Uint8Array): Uint8Array {
  return bytes.subarray(bytes.findIndex((byte) => byte !== 0));
}

function prefix(offset: number, length: number): Uint8Array {
  if (length < 56) return Buffer.from([offset + length]);
  const bytes = integerBytes(length);
  return Buffer.concat([Buffer.from([offset + 55 + bytes.length]), bytes]);
}
