// Results as payers and producers can have written them: all their fields stand in the root, and one of them counts.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { height, paid, readBytes, reasons, tellBytes, transfer } from '@ducat/testkit/chains/tron/read-bytes';
import {
  bytes,
  type MinedBytes,
  mineBytes,
  number,
  recipientHex,
  succeeded,
  tagged,
  text,
  transferPayload,
} from '@ducat/testkit/chains/tron/tron-bytes';
import { rawTransaction } from './raw-transaction.ts';

describe('results', () => {
  const raw = transfer(transferPayload(1_000_000));
  const all = [`${recipientHex} 1000000`];

  it.each<readonly [string, MinedBytes['ret'], readonly string[], readonly string[]]>([
    [
      'with everything that a payer can write',
      [
        {
          bytes:
            number(1, 5) +
            number(2, 1) +
            number(3, 1) +
            text(14, '1000001é') +
            number(15, 1) +
            number(16, 2) +
            number(18, 3) +
            number(19, 4) +
            number(20, 5) +
            number(21, 6) +
            number(22, 2n ** 64n - 7n) +
            bytes(25, 'ab') +
            bytes(26, bytes(1, '01') + bytes(2, '02') + number(3, 8) + number(4, 9)) +
            bytes(26, '') +
            number(27, 10) +
            bytes(28, text(1, 'ENERGY') + number(2, 11)) +
            bytes(28, text(1, '') + number(2, 0)),
          json: {
            fee: 5n,
            ret: 'FAILED',
            contractRet: 'SUCCESS',
            assetIssueID: '1000001é',
            withdraw_amount: 1n,
            unfreeze_amount: 2n,
            exchange_received_amount: 3n,
            exchange_inject_another_amount: 4n,
            exchange_withdraw_another_amount: 5n,
            exchange_id: 6n,
            shielded_transaction_fee: -7n,
            orderId: 'ab',
            orderDetails: [
              { makerOrderId: '01', takerOrderId: '02', fillSellQuantity: 8n, fillBuyQuantity: 9n },
              {},
            ],
            withdraw_expire_amount: 10n,
            cancel_unfreezeV2_amount: [{ key: 'ENERGY', value: 11n }, {}],
          },
        },
      ],
      all,
      [],
    ],
    [
      'with fields that have no name',
      [
        {
          bytes: `1801${number(7, 3)}${bytes(99, 'abcd')}${tagged(100, 3, number(1, 2))}${tagged(100, 4, '')}`,
          json: { 99: ['abcd'], 7: [3n], contractRet: 'SUCCESS', 100: [{ 1: [2n] }] },
        },
      ],
      all,
      [],
    ],
    [
      'with a code that has no name',
      [{ bytes: '10071801', json: { ret: 'UNKNOWN_ENUM_VALUE_code_7', contractRet: 'SUCCESS' } }],
      all,
      [],
    ],
    [
      'of two kinds, the first of which counts',
      [succeeded, { bytes: '1802', json: { contractRet: 'REVERT' } }],
      all,
      [],
    ],
    [
      'of two kinds, the first of which failed',
      [{ bytes: '1802', json: { contractRet: 'REVERT' } }, succeeded],
      [],
      [],
    ],
    ['that are missing', [], [], ['no-result']],
    ['that are empty', [{ bytes: '', json: {} }], [], ['no-result']],
    [
      'of a number that has no name',
      [{ bytes: '1810', json: { contractRet: 'UNKNOWN_ENUM_VALUE_contractResult_16' } }],
      [],
      ['unknown-result'],
    ],
    [
      'of a number below zero',
      [{ bytes: '18fdffffffffffffffff01', json: { contractRet: 'UNKNOWN_ENUM_VALUE_contractResult_-3' } }],
      [],
      ['unknown-result'],
    ],
  ])('%s', async (_, ret, counted, named) => {
    const block = await readBytes({ raw, ...(ret && { ret }) });
    expect(paid(block)).toEqual(counted);
    expect(reasons(block)).toEqual(named);
  });

  it.each<readonly [string, object]>([
    ['a name that nobody knows', { contractRet: 'FINE' }],
    ['a field that is younger than we are', { contractRet: 'SUCCESS', bonus: 1n }],
    ['a number where text stands', { contractRet: 'SUCCESS', assetIssueID: 1n }],
    ['a fixed number that the JSON cannot show', { contractRet: 'SUCCESS', 99: ['0x00000001'] }],
  ])('with %s give no root, and nothing of their block counts', async (_, json) => {
    const mined = [
      { raw, ret: [{ bytes: '1801', json: { ...json } }] },
      { raw: transfer(transferPayload(77)) },
    ];
    await expect(readBytes(...mined)).rejects.toThrow('do not give its root');
    const told = await tellBytes(mined);
    expect(told.unproven).toMatch(/^[0-9a-f]{64}$/);
    expect(told.block.transfers).toEqual([]);
    expect(told.block.untraced).toEqual(
      mineBytes(height, mined).txIds.map((txId) => ({ txId, reason: 'unproven' })),
    );
  });

  it('that are held back with their transactions are a lie', async () => {
    const withhold = (block: object) => ({ ...block, transactions: [] });
    await expect(tellBytes([{ raw }], withhold)).rejects.toThrow('do not give its root');
  });

  it('are bytes, or none that can be known, whatever a node tells', () => {
    const names = fc.constantFrom('fee', 'ret', 'contractRet', 'assetIssueID', 'orderId', 'orderDetails');
    const amounts = fc.constantFrom('cancel_unfreezeV2_amount', 'withdraw_amount', '99', '7', 'new');
    const value = fc.oneof(fc.jsonValue(), fc.bigInt(), fc.array(fc.dictionary(amounts, fc.jsonValue())));
    const result = fc.dictionary(fc.oneof(names, amounts), value);
    fc.assert(
      fc.property(fc.array(result, { maxLength: 2 }), (ret) => {
        const { bytes: leaf } = rawTransaction({
          txID: mineBytes(height, [{ raw }]).txIds[0],
          raw_data_hex: raw,
          ret,
        });
        expect(leaf ?? '').toMatch(/^(?:[0-9a-f]{2})*$/);
      }),
      { numRuns: 500 },
    );
  });
});
