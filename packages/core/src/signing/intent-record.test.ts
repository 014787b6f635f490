// Intents keep every field on their way to the signer, and nothing else passes for one.
import { describe, expect, it } from 'vitest';
import { approvalBytes, type ApprovedPayout } from './approval-bytes.ts';
import { intentRecord, readIntent } from './intent-record.ts';
import type { TransferIntent } from './transfer-intent.ts';

const to = `0x${'ab'.repeat(20)}`;
const key = { account: 3, branch: 'wallet', index: 0 } as const;
const recipient = { account: 3, branch: 'deposit', index: 7 } as const;
const approval = { approver: 'alice', feeCap: 5n, expiry: 1_800_000_000, signature: 'cd'.repeat(64) };
const payout: TransferIntent = {
  family: 'evm',
  subject: { kind: 'payout', id: 'pay_1', approval },
  key,
  chainId: 1,
  nonce: 0,
  to,
  contract: null,
  baseUnits: 2n ** 256n - 1n,
  gasLimit: 21_000n,
  fees: { type: 'fee-market', maxFeePerGas: 2n, maxPriorityFeePerGas: 1n },
};
const tron = {
  family: 'tron',
  subject: { kind: 'funding', id: 'fund:1', recipient },
  key,
  chainId: 0x2b6653dc,
  refBlockBytes: '00ff',
  refBlockHash: '00112233445566ff',
  expirationMs: 1_800_000_060_000,
  timestampMs: 1_800_000_000_000,
  feeLimit: 0n,
} as const;
const tronTo = `41${'ab'.repeat(20)}`;
const staker = { address: tronTo, permission: 2 };
const intents: readonly TransferIntent[] = [
  payout,
  {
    ...payout,
    subject: { kind: 'cold', id: 'c', approval: null },
    contract: to,
    fees: { type: 'legacy', gasPrice: 9n },
  },
  { ...payout, subject: { kind: 'collection', id: 'c', recipient } },
  { ...tron, action: { type: 'transfer', to: tronTo, contract: tronTo, baseUnits: 1n } },
  { ...tron, action: { type: 'delegate', staker, to: tronTo, resource: 'energy', baseUnits: 1n } },
];

describe('an intent', () => {
  it.each(intents)('of the $family family comes back from its text', (intent) => {
    expect(readIntent(JSON.parse(JSON.stringify(intentRecord(intent))))).toEqual(intent);
  });

  it.each([
    ['another family', { family: 'btc' }],
    ['a field too many', { data: '0x' }],
    ['an authorisation', { authorizationList: [] }],
    ['a field too few', { nonce: undefined }],
    ['a number as units', { baseUnits: 1 }],
    ['units with a leading zero', { baseUnits: '01' }],
    ['units above 2^256', { baseUnits: (2n ** 256n).toString() }],
    ['negative units', { baseUnits: '-1' }],
    ['an address in capitals', { to: to.toUpperCase() }],
    ['the zero-padded address of Tron', { to: tronTo }],
    ['a fraction as nonce', { nonce: 0.5 }],
    ['a type of fees that is not built', { fees: { type: 'blob', maxFeePerGas: '1' } }],
    [
      'a tip above the whole fee',
      { fees: { type: 'fee-market', maxFeePerGas: '1', maxPriorityFeePerGas: '2' } },
    ],
    ['a path outside', { key: { ...key, account: 2 ** 31 } }],
    ['a subject of two kinds', { subject: { kind: 'cold', id: 'c', approval: null, recipient } }],
    ['a subject without end', { subject: { kind: 'cold', id: 'c'.repeat(65), approval: null } }],
  ])('is not read from %s', (_what, change) => {
    const record = JSON.parse(JSON.stringify({ ...intentRecord(payout), ...change }));
    expect(readIntent(record)).toBeNull();
  });

  it.each([null, [], 'evm', 1, {}])('is not read from %j', (value) => {
    expect(readIntent(value)).toBeNull();
  });
});

describe('the bytes of an approval', () => {
  const approved = {
    kind: 'payout',
    payoutId: 'pay_1',
    chainId: 1,
    contract: null,
    to,
    baseUnits: 12n,
    ...approval,
  } as const;

  it('are the version and each field behind its length', () => {
    const text = textOf(approved);
    expect(text.startsWith('\0\0\0\x17ducat-payout-approval-1\0\0\0\x05pay_1\0\0\0\x011\0\0\0\0')).toBe(true);
    expect(text.endsWith('\0\0\0\x05alice')).toBe(true);
  });

  it('differ wherever digits go from one field to the next', () => {
    const one = textOf({ ...approved, baseUnits: 12n, feeCap: 5n });
    const other = textOf({ ...approved, baseUnits: 1n, feeCap: 25n });
    expect(one).not.toBe(other);
  });
});

function textOf(approved: ApprovedPayout): string {
  return String.fromCharCode(...approvalBytes(approved));
}
