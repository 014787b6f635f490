// A transaction that the network carried, read from its bytes alone.
import { describe, expect, it } from 'vitest';
import { testCurrency } from '@ducat/testkit/chains/test-currencies';
import { topLevelMovement } from './native-transfers.ts';
import { rawTransaction } from './raw-transaction.ts';

// Of the Nile test network.
const txID = '6303c7639f591407ef9f34a7ac8c9c9a21151f5a6af21924502515734fc267ab';
const raw_data_hex =
  '0a0229272208939ece39d08a7abe40d8c483c1dd335a67080112630a2d747970652e676f6f676c65617069732e636f6d2f70726f746f636f6c2e5472616e73666572436f6e747261637412320a1541dd791d6b49e190062d650e6a23c575510d35f2f912154192ad11c1bf16b3b14b0bd6b5c7e2db73a0b5e83a18c0843d70d68780c1dd33';
const json = { txID, raw_data_hex, ret: [{ contractRet: 'SUCCESS' }] };

describe('a transaction', () => {
  it('tells id, outcome and transfer', () => {
    const transaction = rawTransaction(json);
    expect(transaction).toMatchObject({ id: txID, outcome: 'succeeded' });
    const trx = testCurrency(3000, null);
    const { value } = transaction.contract;
    expect(value === null ? null : topLevelMovement(value, trx)).toEqual({
      currency: trx,
      position: 'value',
      from: '41dd791d6b49e190062d650e6a23c575510d35f2f9',
      to: '4192ad11c1bf16b3b14b0bd6b5c7e2db73a0b5e83a',
      units: 1_000_000n,
    });
  });

  it.each<readonly [string, unknown, string]>([
    ['no result', undefined, 'missing'],
    ['an empty result', [{}], 'missing'],
    ['a result that nobody knows', [{ contractRet: 'GREAT' }], 'unknown'],
    ['a revert', [{ contractRet: 'REVERT' }], 'failed'],
    ['no energy left', [{ contractRet: 'OUT_OF_ENERGY' }], 'failed'],
    ['a failure before a success', [{ contractRet: 'REVERT' }, { contractRet: 'SUCCESS' }], 'failed'],
    // What stands beside the producer's contractRet of the first result was written by the payer.
    ['a success before a failure', [{ contractRet: 'SUCCESS' }, { contractRet: 'REVERT' }], 'succeeded'],
    ['a success that is said to have failed', [{ contractRet: 'SUCCESS', ret: 'FAILED' }], 'succeeded'],
  ])('with %s is judged by the first contractRet', (_, ret, outcome) => {
    expect(rawTransaction({ ...json, ret }).outcome).toBe(outcome);
  });

  it.each([
    ['another id', { txID: '0'.repeat(64) }, /the id that it is given/],
    ['bytes that were cut', { raw_data_hex: raw_data_hex.slice(0, -2) }, /the id that it is given/],
    ['text for bytes', { raw_data_hex: 'zz' }, /as hex/],
    ['half a byte', { raw_data_hex: `${raw_data_hex}0` }, /as hex/],
    ['letters whose last byte is a digit', { raw_data_hex: '\u0130\u0130' }, /as hex/],
    ['results that are none', { ret: ['SUCCESS'] }, /no list of objects/],
    ['signatures that are no list', { signature: '00' }, /no list/],
  ])('with %s is not believed', (_, change, message) => {
    expect(() => rawTransaction({ ...json, ...change })).toThrow(message);
  });

  it('has its result in its leaf', () => {
    const leaf = (ret: object) => rawTransaction({ ...json, ret: [ret] }).bytes;
    expect(leaf({ contractRet: 'SUCCESS' })).toMatch(/2a021801$/);
    expect(leaf({ contractRet: 'REVERT' })).toMatch(/2a021802$/);
    expect(leaf({ contractRet: 'GREAT' })).toBeNull();
  });
});
