// RLP and the trie against the libraries that everybody uses for them.
import { createMPT } from '@ethereumjs/mpt';
import { RLP } from '@ethereumjs/rlp';
import { describe, expect, it } from 'vitest';
import { RlpWriter } from './rlp-writer.ts';
import { trieRoot } from './trie-root.ts';

const encoded = (input: Parameters<typeof RLP.encode>[0]): string =>
  Buffer.from(RLP.encode(input)).toString('hex');

function written(write: (rlp: RlpWriter) => void): string {
  // So little room that it has to grow.
  const rlp = new RlpWriter(1);
  write(rlp);
  return rlp.bytes.toString('hex', 0, rlp.length);
}

const ofHex = (write: 'hexString' | 'hexInteger', hex: string) => (rlp: RlpWriter) =>
  void rlp[write](Buffer.from(hex), 0, hex.length);

describe('RLP', () => {
  it.each([
    '',
    '00',
    '7f',
    '80',
    'FF',
    '0400',
    ...[54, 55, 56, 300, 70_000].map((size) => 'aB'.repeat(size)),
  ])('of bytes is what the library writes', (hex) => {
    const bytes = Buffer.from(hex, 'hex');
    expect(written(ofHex('hexString', hex))).toBe(encoded(bytes));
    expect(written((rlp) => rlp.string(bytes))).toBe(encoded(bytes));
    const list = written((rlp) => {
      const outer = rlp.open();
      const nested = rlp.open();
      rlp.string(bytes);
      rlp.close(nested);
      ofHex('hexInteger', '1')(rlp);
      rlp.close(outer);
    });
    expect(list).toBe(encoded([[bytes], 1]));
  });

  it.each([0n, 1n, 15n, 16n, 127n, 128n, 255n, 256n, 2n ** 64n, 2n ** 256n - 1n])(
    'of the number %s is what the library writes, with or without leading zeros',
    (number) => {
      for (const zeros of ['', '0', '00', '000'])
        expect(written(ofHex('hexInteger', zeros + number.toString(16)))).toBe(encoded(number));
    },
  );

  it.each(['0', 'abc', 'zz', '0g', 'g0', '1\u0000', '-1', '+1', ' 1', '\u01101'])(
    'is not made of %j',
    (text) => {
      expect(() => written(ofHex('hexString', text))).toThrow('not hex');
    },
  );

  it.each(['g', '1g', 'g1', '0x1', '-1', ' '])('is not made of the number %j', (text) => {
    expect(() => written(ofHex('hexInteger', text))).toThrow('not hex');
  });
});

describe('the root of a trie', () => {
  it.each([0, 1, 2, 3, 15, 16, 17, 127, 128, 129, 255, 256, 257, 300])(
    'of %i values is that of the library',
    async (count) => {
      // Long and short values: nodes below 32 bytes stand in their parent unhashed.
      for (const size of [2, 31, 33, 700]) {
        const values = Array.from({ length: count }, (_, index) => {
          const digits = (index + 1).toString(16).padStart(4, '0');
          return Buffer.from(digits.repeat(size).slice(0, size * 2), 'hex');
        });
        const trie = await createMPT();
        for (const [index, value] of values.entries()) await trie.put(RLP.encode(index), value);
        const packed = { bytes: Buffer.concat(values), ends: values.map((_, index) => (index + 1) * size) };
        expect(trieRoot(packed)).toEqual(Uint8Array.from(trie.root()));
      }
    },
  );
});
