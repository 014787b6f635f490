// The encoder against the library that everybody uses for it.
import { RLP } from '@ethereumjs/rlp';
import { describe, expect, it } from 'vitest';
import { rlpBytes, rlpData, rlpList, rlpQuantity } from './rlp-hex.ts';

const encoded = (input: Parameters<typeof RLP.encode>[0]): string =>
  Buffer.from(RLP.encode(input)).toString('hex');

describe('RLP from hex', () => {
  it.each([
    '',
    '00',
    '7f',
    '80',
    'ff',
    '0400',
    'ab'.repeat(54),
    'ab'.repeat(55),
    'ab'.repeat(56),
    'ab'.repeat(300),
    'ab'.repeat(70_000),
  ])('encodes bytes as the library does', (hex) => {
    expect(rlpBytes(hex)).toBe(encoded(Buffer.from(hex, 'hex')));
    expect(rlpData(`0x${hex}`)).toBe(encoded(Buffer.from(hex, 'hex')));
    expect(rlpList(rlpBytes(hex) + rlpBytes('01'))).toBe(
      encoded([Buffer.from(hex, 'hex'), Buffer.from([1])]),
    );
  });
  it.each([0n, 1n, 127n, 128n, 256n, 2n ** 64n, 2n ** 256n - 1n])(
    'encodes the quantity %s without leading zeros',
    (number) => {
      expect(rlpQuantity(`0x${number.toString(16)}`)).toBe(encoded(number));
      expect(rlpQuantity(`0x00${number.toString(16)}`)).toBe(encoded(number));
    },
  );
});
