// Transaction ids against another library's serialisation, one per type, and addresses of created contracts.
import { describe, expect, it } from 'vitest';
import { createdAddress, receiptsRoot, transactionsRoot } from './block-roots.ts';
import type { RawReceipt, RawTransaction } from './raw-block.ts';

const word = (byte: string): string => `0x${byte.repeat(32)}`;
const shared: RawTransaction = {
  hash: '0x',
  from: '0x',
  to: `0x${'ab'.repeat(20)}`,
  nonce: '0x7',
  value: '0x5',
  input: '0x0102',
  gas: '0x5208',
  gasPrice: '0x12c',
  chainId: '0x1',
  maxPriorityFeePerGas: '0x2',
  maxFeePerGas: '0x12c',
  accessList: [{ address: `0x${'cd'.repeat(20)}`, storageKeys: [word('01')] }],
  r: word('11'),
  s: word('22'),
  yParity: '0x1',
};

const transactionId = (transaction: RawTransaction): string => transactionsRoot([transaction]).ids[0] ?? '';

const authorization = {
  chainId: '0x1',
  address: `0x${'ef'.repeat(20)}`,
  nonce: '0x3',
  r: word('11'),
  s: word('22'),
  yParity: '0x0',
};

describe('transactionsRoot', () => {
  it.each<readonly [string, Partial<RawTransaction>, string]>([
    [
      'legacy',
      { type: '0x0', v: '0x26' },
      '0x63338e35f58ba32bb0a40c59bff2ec1300799798e5d42de7a2569b7ca251c594',
    ],
    [
      'legacy creation',
      { v: '0x1b', to: null },
      '0x186c5411d18b5ebb1ab9b177937b6919fd18cc59ecd7f9c102579725c04916dc',
    ],
    ['access list', { type: '0x1' }, '0x417fcebab50d117596bff4fe9596f16afd0ee5cee79d6286156546eebc25922e'],
    ['dynamic fee', { type: '0x2' }, '0x7f1bcc498c21081ee943255ebaa33cd70f8dd8bd821ca7f96fe6b8a61f9ebe8c'],
    [
      'blob',
      { type: '0x3', maxFeePerBlobGas: '0x9', blobVersionedHashes: [`0x01${'ee'.repeat(31)}`] },
      '0x36411c732e58eda20e7cdff4bd83b7cfd3cf015b81843e2ddb70a2eedcac714b',
    ],
    [
      'set code',
      { type: '0x4', authorizationList: [authorization] },
      '0xff7e03d768caa99f8df43c84191ba88f256578f80b8d6cc501eddee814b08966',
    ],
  ])('of a %s transaction is what viem serialises', (_name, change, id) => {
    expect(transactionId({ ...shared, ...change })).toBe(id);
  });
  it('is not made up for a type that is not known, or for missing fields', () => {
    expect(() => transactionId({ ...shared, type: '0x7e' })).toThrow('type 0x7e');
    expect(() => transactionId({ ...shared, type: '0x2', accessList: undefined })).toThrow('lacks a list');
    expect(() => transactionId({ ...shared, type: '0x2', gas: 21000 })).toThrow('no gas');
    expect(() => transactionId({ ...shared, type: '0x2', input: '0xabc' })).toThrow('not hex');
  });
});

describe('createdAddress', () => {
  it('follows from the creator and its nonce', () => {
    // The first contracts of the well-known first test account.
    const creator = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266';
    expect(createdAddress(creator, '0x0')).toBe('0x5fbdb2315678afecb367f032d93f642f64180aa3');
    expect(createdAddress(creator, '0x1')).toBe('0xe7f1725e7734ce288f8367e1bb143e90bb3f0512');
  });
});

describe('receiptsRoot', () => {
  const receipt: RawReceipt = {
    transactionHash: '0x',
    transactionIndex: '0x0',
    blockHash: '0x',
    status: '0x1',
    cumulativeGasUsed: '0x5208',
    logsBloom: `0x${'00'.repeat(256)}`,
    logs: [],
  };
  it('differs with the status, the gas, the type and every part of a log', () => {
    const log = {
      address: word('01'),
      topics: [word('02')],
      data: word('03'),
      blockHash: '0x',
      transactionHash: '0x',
      logIndex: '0x0',
    };
    const receipts: readonly RawReceipt[] = [
      receipt,
      { ...receipt, status: '0x0' },
      { ...receipt, cumulativeGasUsed: '0x5209' },
      { ...receipt, type: '0x2' },
      { ...receipt, logs: [log] },
      { ...receipt, logs: [{ ...log, address: word('04') }] },
      { ...receipt, logs: [{ ...log, topics: [] }] },
      { ...receipt, logs: [{ ...log, data: '0x' }] },
      { ...receipt, logs: [log, log] },
    ];
    expect(new Set(receipts.map((one) => receiptsRoot([one]))).size).toBe(receipts.length);
  });
});
