// Fields that a node has a name for, told under another: they prove the true root and hide what stands in them.
import { describe, expect, it } from 'vitest';
import {
  call,
  paid,
  readBytes,
  tellBytes,
  tokenHex,
  tokenLog,
  transfer,
} from '@ducat/testkit/chains/tron/read-bytes';
import {
  bytes,
  mineBytes,
  number,
  ownerHex,
  recipientHex,
  tagged,
  transferPayload,
} from '@ducat/testkit/chains/tron/tron-bytes';
import { provenHeader } from './block-header.ts';

const raw = transfer(transferPayload(1_000_000));
const token = call(bytes(1, ownerHex) + bytes(2, tokenHex));

/** Tells the only transaction of the block otherwise. */
const telling = (change: object) => (block: object) => {
  const [first] = (block as { transactions: readonly object[] }).transactions;
  return { ...block, transactions: [{ ...first, ...change }] };
};

describe('a result that succeeded', () => {
  it.each<readonly [string, object]>([
    ['as a number without a name', { ret: [{ contractRet: 'UNKNOWN_ENUM_VALUE_contractResult_1' }] }],
    ['as that number with a zero', { ret: [{ contractRet: 'UNKNOWN_ENUM_VALUE_contractResult_01' }] }],
    ['as a field without a name', { ret: [{ 3: [1n] }] }],
    ['as a code without a name', { ret: [{ ret: 'UNKNOWN_ENUM_VALUE_code_0', contractRet: 'SUCCESS' }] }],
    ['in a list without a name', { ret: [], 5: ['1801'] }],
    ['in a list without a name beside none', { ret: undefined, 5: ['1801'] }],
  ])('is not hidden by telling it %s', async (_, change) => {
    const mined = [{ raw: token, executed: 'SUCCESS', receipt: { log: [tokenLog] } }];
    const { block, unproven } = await tellBytes(mined, telling(change));
    // It is what one endpoint tells, and with it the block is not proven.
    expect(unproven).toMatch(/^[0-9a-f]{64}$/);
    expect(block.untraced).toMatchObject([{ reason: 'unproven' }]);
    expect(paid(await readBytes(...mined))).toEqual([`${recipientHex} 5`]);
  });

  it.each<readonly [string, object, string]>([
    ['a signature', { signature: [], 2: ['11'.repeat(65)] }, '1801'],
    ['a fee', { ret: [{ 1: [5n], contractRet: 'SUCCESS' }] }, '08051801'],
    [
      'an order',
      { ret: [{ contractRet: 'SUCCESS', orderDetails: [{ 1: ['01'] }] }] },
      `1801${bytes(26, bytes(1, '01'))}`,
    ],
  ])('proves nothing beside %s without its name', async (_, change, ret) => {
    const mined = [{ raw, ret: [{ bytes: ret, json: {} }] }];
    expect((await tellBytes(mined, telling(change))).unproven).not.toBeNull();
  });

  it('is read beside fields of its own number and another kind, which have no name anywhere', async () => {
    const ret = [
      {
        bytes: `1801${bytes(3, 'abcd')}${number(14, 7)}${tagged(15, 3, '')}${tagged(15, 4, '')}`,
        json: { contractRet: 'SUCCESS', 3: ['abcd'], 14: [7n], 15: [{}] },
      },
    ];
    const block = await readBytes({ raw, ret });
    expect(paid(block)).toEqual([`${recipientHex} 1000000`]);
    expect(block.untraced).toEqual([]);
  });
});

describe('a header', () => {
  it('does not hide its time under the number of that field', () => {
    const { block } = mineBytes(7, [{ raw }]);
    const { raw_data } = (block as { block_header: { raw_data: Record<string, unknown> } }).block_header;
    const { timestamp, ...rest } = raw_data;
    expect(provenHeader(block)?.header.time).toBe(Number(timestamp) / 1_000);
    const told = (changed: object) => provenHeader({ ...block, block_header: { raw_data: changed } });
    expect(() => told({ ...rest, 1: [timestamp] })).toThrow('answered with');
  });
});
