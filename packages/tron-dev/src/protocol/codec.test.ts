// The codec: written messages are read back, defaults take no byte, unknown fields are skipped.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decode, encode } from './codec.ts';
import { merkleRoot } from './merkle.ts';
import { contractSchemas } from './contracts.ts';
import { transactionInfo, transactionRaw, transactionResult } from './messages.ts';
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

describe('the codec is as java-tron', () => {
  const transfer = `0a01aa1201bb18c0843d`;
  const { TransferContract } = contractSchemas;

  it('where a tag has more than 32 bits, which are cut off', () => {
    expect(decode(TransferContract, `${transfer}988080801001`).amount).toBe(1n);
    expect(decode(TransferContract, `${transfer}98808080808080808001` + '02').amount).toBe(2n);
    expect(() => decode(TransferContract, `${transfer}808080801001`)).toThrow('tag');
    expect(() => decode(TransferContract, `${transfer}1f`)).toThrow('tag');
  });

  it('where the entry of a map holds nothing, which is written', () => {
    const result = make(transactionResult, { cancel_unfreezeV2_amount: [{ key: 'ENERGY', value: 0n }] });
    const bytes = `e2010a0a06${Buffer.from('ENERGY').toString('hex')}1000`;
    expect(encode(transactionResult, result)).toBe(bytes);
    expect(decode(transactionResult, bytes)).toEqual(result);
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
