// Encodes protocol buffers, as far as transactions of Tron need it. Default values are left out, as nodes do.

/** A field that holds a number, 0 ≤ value < 2^63. */
export function numberField(field: number, value: bigint | number): Uint8Array {
  return BigInt(value) === 0n
    ? Buffer.alloc(0)
    : Buffer.concat([varint(BigInt(field) << 3n), varint(BigInt(value))]);
}

/** A field that holds bytes or another message. */
export function bytesField(field: number, bytes: Uint8Array): Uint8Array {
  if (bytes.length === 0) return Buffer.alloc(0);
  return Buffer.concat([varint((BigInt(field) << 3n) | 2n), varint(BigInt(bytes.length)), bytes]);
}

function varint(value: bigint): Uint8Array {
  const bytes: number[] = [];
  let rest = value;
  while (rest >= 0x80n) {
    bytes.push(Number(rest & 0x7fn) | 0x80);
    rest >>= 7n;
  }
  return Buffer.from([...bytes, Number(rest)]);
}
