// What is taken out of the text of a block, and what has to stay.
import { describe, expect, it } from 'vitest';
import { withoutRawData } from './without-raw-data.ts';

const raw = { contract: [{ parameter: { value: { data: 'a9' }, type_url: 'x' } }], timestamp: 1 };
const tx = { ret: [{ contractRet: 'SUCCESS' }], txID: 'aa', raw_data: raw, raw_data_hex: '0a02' };
const header = { raw_data: { number: 5, txTrieRoot: 'bb' }, witness_signature: 'cc' };
const cutText = (text: string): string => withoutRawData(Buffer.from(text)).toString();
const cut = (value: unknown): unknown => JSON.parse(cutText(JSON.stringify(value)));

describe('the text of a block', () => {
  it('loses the raw_data of each transaction, and nothing else', () => {
    const block = { blockID: 'dd', block_header: header, transactions: [tx, tx, tx] };
    const bare = { ...tx, raw_data: 0 };
    expect(cut(block)).toEqual({ ...block, transactions: [bare, bare, bare] });
    expect(cut({ transactions: [tx], block_header: header })).toEqual({
      transactions: [bare],
      block_header: header,
    });
  });

  it.each<readonly [string, unknown]>([
    ['has none', { block_header: header }],
    ['has it elsewhere', { transactions: [{ raw_data_hex: '0a02', raw_data: raw }] }],
    ['has it not as an object', { transactions: [{ raw_data: 'x', raw_data_hex: '0a02' }] }],
    ['quotes it', { Error: '"raw_data":{},"raw_data_hex":"' }],
    ['quotes its end', { raw_data: { memo: '},"raw_data_hex":"' }, ret: [] }],
  ])('stays as it is where it %s', (_, value) => {
    expect(cut(value)).toEqual(value);
  });

  it('keeps what is more than a block has room for, to be counted and refused', () => {
    const piece = '{"raw_data":{},"raw_data_hex":""},';
    const cutPiece = '{"raw_data":0,"raw_data_hex":""},';
    const wanted = cutPiece.repeat(16_384) + piece.repeat(3_616);
    expect(cutText(piece.repeat(20_000)) === wanted).toBe(true);
  });

  it('stays no JSON where it was none', () => {
    expect(cutText('{"raw_data":{"a":1')).toBe('{"raw_data":{"a":1');
    expect(cutText('},"raw_data_hex":"')).toBe('},"raw_data_hex":"');
  });
});
