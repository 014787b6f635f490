// Intents keep every field on their way to the signer, and nothing else passes for one.
import { describe, expect, it } from 'vitest';
import { approvalBytes, type ApprovedPayout, endingBytes } from './approval-bytes.ts';
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
  { ...tron, action: { type: 'transfer', to: tronTo, contract: null, baseUnits: 1n } },
  { ...tron, action: { type: 'delegate', staker, to: tronTo, resource: 'energy', baseUnits: 1n } },
  { ...tron, action: { type: 'undelegate', staker, to: tronTo, resource: 'bandwidth', baseUnits: 1n } },
];

/** The record with one field in it changed, `path` being its names from the outside in. */
function changed(intent: TransferIntent, path: string, value: unknown): unknown {
  const record = JSON.parse(JSON.stringify(intentRecord(intent)));
  const names = path.split('.');
  const last = names.pop() ?? '';
  names.reduce((inner, name) => inner[name], record)[last] = value;
  return record;
}

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

  const [evmTransfer, tronTransfer, trxTransfer, delegate] = [
    intents[0]!,
    intents[3]!,
    intents[4]!,
    intents[5]!,
  ];
  it.each<readonly [TransferIntent, string, number | bigint]>([
    [evmTransfer, 'chainId', 2 ** 48],
    [evmTransfer, 'nonce', Number.MAX_SAFE_INTEGER - 1],
    [evmTransfer, 'baseUnits', 2n ** 256n - 1n],
    [evmTransfer, 'gasLimit', 2n ** 64n - 1n],
    [evmTransfer, 'fees.maxFeePerGas', 2n ** 64n - 1n],
    [evmTransfer, 'fees.maxPriorityFeePerGas', 2n],
    [intents[1]!, 'fees.gasPrice', 2n ** 64n - 1n],
    [evmTransfer, 'key.account', 2 ** 31 - 1],
    [evmTransfer, 'key.index', 2 ** 31 - 1],
    [evmTransfer, 'subject.approval.feeCap', 2n ** 256n - 1n],
    [evmTransfer, 'subject.approval.expiry', 2 ** 40],
    [tronTransfer, 'expirationMs', 2 ** 50],
    [tronTransfer, 'timestampMs', 2 ** 50],
    [tronTransfer, 'feeLimit', 2n ** 63n - 1n],
    [tronTransfer, 'action.baseUnits', 2n ** 256n - 1n],
    [trxTransfer, 'action.baseUnits', 2n ** 63n - 1n],
    [delegate, 'action.baseUnits', 2n ** 63n - 1n],
    [delegate, 'action.staker.permission', 255],
  ])('of %o has %s up to %s', (intent, path, most) => {
    const [at, above] = typeof most === 'bigint' ? [`${most}`, `${most + 1n}`] : [most, most + 1];
    expect(readIntent(changed(intent, path, at))).not.toBeNull();
    expect(readIntent(changed(intent, path, above))).toBeNull();
  });

  it.each<readonly [TransferIntent, string, readonly string[], readonly string[]]>([
    [evmTransfer, 'to', [to], [`x${to}`, `${to}0`, to.slice(0, -1), `0x${'g'.repeat(40)}`]],
    [evmTransfer, 'contract', [to], [`x${to}`, `${to}0`, '']],
    [tronTransfer, 'action.to', [tronTo], [`4${tronTo}`, `${tronTo}0`, tronTo.slice(0, -1), to]],
    [tronTransfer, 'action.contract', [tronTo], [`${tronTo}0`, to]],
    [delegate, 'action.staker.address', [tronTo], [`${tronTo}0`, to]],
    [delegate, 'action.resource', ['energy', 'bandwidth'], ['', 'votes']],
    [delegate, 'action.type', ['delegate', 'undelegate'], ['', 'transfer', 'freeze']],
    [tronTransfer, 'refBlockBytes', ['00ff'], ['00f', '00fff', '000ff', '00FF', '00fg']],
    [
      tronTransfer,
      'refBlockHash',
      ['00112233445566ff'],
      ['0'.repeat(15), '0'.repeat(17), `${'0'.repeat(15)}g`],
    ],
    [evmTransfer, 'key.branch', ['deposit', 'wallet'], ['', 'change']],
    [evmTransfer, 'subject.kind', ['payout', 'cold'], ['', 'collection', 'funding']],
    [
      evmTransfer,
      'subject.id',
      ['a', 'Z9_.:-', 'c'.repeat(64)],
      ['', 'a b', 'ä', 'c'.repeat(65), 'a/', '/a'],
    ],
    [
      evmTransfer,
      'subject.approval.approver',
      ['a', `a${'-'.repeat(31)}`],
      ['', '1a', 'A', 'a b', 'a'.repeat(33)],
    ],
    [
      evmTransfer,
      'subject.approval.signature',
      ['0'.repeat(128)],
      ['0'.repeat(127), '0'.repeat(129), 'G'.repeat(128)],
    ],
  ])('of %o is read with %s of its forms alone', (intent, path, right, wrong) => {
    for (const value of right) expect(readIntent(changed(intent, path, value)), value).not.toBeNull();
    for (const value of wrong) expect(readIntent(changed(intent, path, value)), value).toBeNull();
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

  it('differ by kind, and never fit the word that ends a payout', () => {
    const cold = textOf({ ...approved, kind: 'cold', contract: to });
    expect(cold).toBe(
      [
        '\0\0\0\x15ducat-cold-approval-1\0\0\0\x05pay_1\0\0\0\x011',
        `\0\0\0\x2a${to}\0\0\0\x2a${to}`,
        '\0\0\0\x0212\0\0\0\x015\0\0\0\x0a1800000000\0\0\0\x05alice',
      ].join(''),
    );
    expect(
      String.fromCharCode(...endingBytes({ payoutId: 'pay_1', status: 'FAIL', approver: 'alice' })),
    ).toBe('\0\0\0\x15ducat-payout-ending-1\0\0\0\x05pay_1\0\0\0\x04FAIL\0\0\0\x05alice');
  });

  it('have four bytes for a length, the highest first', () => {
    const bytes = endingBytes({ payoutId: 'a'.repeat(0x01_02_03), status: 'PAID', approver: 'b' });
    expect(bytes.slice(25, 29)).toEqual(Uint8Array.of(0, 1, 2, 3));
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
