// A transaction that the network carried, read from its bytes alone, and the leaf that stands for it in a root.
import { jsonOf } from '@ducat/testkit/chains/tron/json-of';
import { describe, expect, it } from 'vitest';
import { decodeTransaction, leafOf, rawBytesOf } from './decode-transaction.ts';

// Of the Nile test network.
const txID = '6303c7639f591407ef9f34a7ac8c9c9a21151f5a6af21924502515734fc267ab';
const raw_data_hex =
  '0a0229272208939ece39d08a7abe40d8c483c1dd335a67080112630a2d747970652e676f6f676c65617069732e636f6d2f70726f746f636f6c2e5472616e73666572436f6e747261637412320a1541dd791d6b49e190062d650e6a23c575510d35f2f912154192ad11c1bf16b3b14b0bd6b5c7e2db73a0b5e83a18c0843d70d68780c1dd33';
const json = { txID, raw_data_hex };
const raw = rawBytesOf(jsonOf(json));

it('a transaction shows its id, its owner and its value', () => {
  const owner = '41dd791d6b49e190062d650e6a23c575510d35f2f9';
  expect(decodeTransaction(jsonOf({ ...json, ret: [{ contractRet: 'SUCCESS' }] }), raw)).toEqual({
    id: txID,
    outcome: 'succeeded',
    contract: {
      owner,
      value: { from: owner, to: '4192ad11c1bf16b3b14b0bd6b5c7e2db73a0b5e83a', units: 1_000_000n },
      runsCode: false,
    },
  });
});

it.each<readonly [string, unknown, string]>([
  ['no result', undefined, 'missing'],
  ['an empty result', [{}], 'missing'],
  ['a result that nobody knows', [{ contractRet: 'GREAT' }], 'unknown'],
  ['a revert', [{ contractRet: 'REVERT' }], 'failed'],
  ['no energy left', [{ contractRet: 'OUT_OF_ENERGY' }], 'failed'],
  ['a failure before a success', [{ contractRet: 'REVERT' }, { contractRet: 'SUCCESS' }], 'failed'],
  ['a success before a failure', [{ contractRet: 'SUCCESS' }, { contractRet: 'REVERT' }], 'succeeded'],
])('a transaction with %s went as the first contractRet says', (_, ret, outcome) => {
  expect(decodeTransaction(jsonOf({ ...json, ret }), raw).outcome).toBe(outcome);
});

describe('the leaf of a transaction', () => {
  const leaf = (ret: object[], more: object = {}) => leafOf(jsonOf({ ...json, ret, ...more }), raw);

  it('is another one for each result and signature', () => {
    const leaves = [
      leaf([]),
      leaf([{}]),
      leaf([{ contractRet: 'SUCCESS' }]),
      leaf([{ contractRet: 'REVERT' }]),
      leaf([{ contractRet: 'SUCCESS' }], { signature: ['11'.repeat(65)] }),
    ];
    expect(new Set(leaves).size).toBe(leaves.length);
    for (const one of leaves) expect(one).toMatch(/^[0-9a-f]{64}$/);
  });

  it('is the same where the node says where a deployment puts its contract', () => {
    const ret = [{ contractRet: 'SUCCESS' }];
    expect(leaf(ret, { contract_address: `41${'ab'.repeat(20)}` })).toBe(leaf(ret));
  });

  it.each<readonly [string, object[], object]>([
    ['a result that nobody knows', [{ contractRet: 'GREAT' }], {}],
    ['a result by its number', [{ contractRet: 'UNKNOWN_ENUM_VALUE_contractResult_1' }], {}],
    ['a result under the number of its field', [{ 3: [1n] }], {}],
    ['a fee in its result', [{ contractRet: 'SUCCESS', fee: 5n }], {}],
    ['its results in a list without a name', [], { 5: ['1801'] }],
  ])('is not known with %s', (_, ret, more) => {
    expect(leaf(ret, more)).toBeNull();
  });

  // hits mark: no-inner-node-for-a-leaf
  it('is none where it could be a node above the leaves', () => {
    const known = [61, 62, 63].map((size) => leafOf(jsonOf({}), Buffer.alloc(size)) !== null);
    expect(known).toEqual([true, false, true]);
  });
});
