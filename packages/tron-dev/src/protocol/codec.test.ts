// The codec: what is written is read, defaults take no byte, unknown fields are skipped.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decode, encode } from './codec.ts';
import { merkleRoot } from './merkle.ts';
import { transactionInfo, transactionRaw } from './messages.ts';
import { sha256 } from './hash.ts';
import { make } from './schema.ts';

const hex = fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes).toString('hex'));
const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });

describe('codec', () => {
  it('reads back what it wrote', () => {
    fc.assert(
      fc.property(hex, hex, int64, int64, fc.boolean(), (id, data, fee, units, rejected) => {
        const message = make(transactionInfo, {
          id,
          fee,
          contractResult: ['', data],
          result: rejected ? 'FAILED' : 'SUCESS',
          internal_transactions: [
            {
              hash: data,
              caller_address: '',
              transferTo_address: id,
              callValueInfo: [{ callValue: units, tokenId: '1000001' }],
              note: '',
              rejected,
            },
          ],
          cancel_unfreezeV2_amount: [{ key: 'ENERGY', value: units }],
        });
        expect(decode(transactionInfo, encode(transactionInfo, message))).toEqual(message);
      }),
    );
  });

  it('writes nothing for defaults', () => {
    expect(encode(transactionRaw, make(transactionRaw, {}))).toBe('');
  });

  it('skips fields it does not know, and refuses what is no protobuf', () => {
    const known = make(transactionRaw, { fee_limit: 5n });
    const unknown = 'f83f01';
    expect(decode(transactionRaw, unknown + encode(transactionRaw, known))).toEqual(known);
    expect(() => decode(transactionRaw, '0aff')).toThrow();
  });
});

describe('the Merkle root', () => {
  const [a, b, c] = ['aa', 'bb', 'cc'];

  it('of nothing is zero, of one its hash, and an odd last one moves up unchanged', () => {
    expect(merkleRoot([])).toBe('00'.repeat(32));
    expect(merkleRoot([a])).toBe(sha256(a));
    const pair = sha256(sha256(a) + sha256(b));
    expect(merkleRoot([a, b])).toBe(pair);
    expect(merkleRoot([a, b, c])).toBe(sha256(pair + sha256(c)));
  });
});
