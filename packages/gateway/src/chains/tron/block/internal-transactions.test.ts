// TRX inside a call as JSON shows it: positions that are the same on every node, and amounts that a chain can count.
import { recipientHex } from '@ducat/testkit/chains/tron/tron-bytes';
import { tokenHex, trx } from '@ducat/testkit/chains/tron/mined-node';
import { jsonOf } from '@ducat/testkit/chains/tron/json-of';
import { unitsOf } from '@ducat/core/money/amount';
import { expect, it } from 'vitest';
import { internalTransactions } from './internal-transactions.ts';

const block = { number: 2, hash: '', parentHash: '', time: 0 };
const place = { chain: 'TRON', txId: '', block };
const hexOf = (note: string): string => Buffer.from(note).toString('hex');
const entry = (note: string, callValue: unknown, more: object = {}) => ({
  caller_address: tokenHex,
  transferTo_address: recipientHex,
  note: hexOf(note),
  callValueInfo: [{ callValue }],
  ...more,
});
const found = (internal: readonly object[]) =>
  internalTransactions(
    place,
    internal.map((one) => jsonOf(one)),
    trx,
  ).map(({ position, amount }) => `${position} ${unitsOf(amount)}`);

it('positions count what can move TRX alone, so that vm.saveFeaturedInternalTx changes none', () => {
  const moving = [
    entry('call', 1n, { rejected: true }),
    entry('create', 2n),
    entry('call', 0n),
    entry('suicide', 3),
    entry('call', 2n ** 63n - 1n),
  ];
  const featured = ['freezeForEnergy', 'unDelegateResourceOfBandwidth', 'vote', 'withdrawReward'].map(
    (note) => entry(note, 9n),
  );
  const kept = moving.flatMap((one, index) => [...featured.slice(0, index), one, ...featured]);
  expect(found(moving)).toEqual(['internal:1.0 2', 'internal:3.0 3', `internal:4.0 ${2n ** 63n - 1n}`]);
  expect(found(kept)).toEqual(found(moving));
});

it.each<readonly [string, object]>([
  ['a note in plain text', { note: 'call' }],
  ['no note', { note: undefined }],
  ['a rejection in words', { rejected: 'false' }],
  ['a value above all that can be counted', { callValueInfo: [{ callValue: 2n ** 63n }] }],
  ['a value below zero', { callValueInfo: [{ callValue: -1n }] }],
  ['a value in words', { callValueInfo: [{ callValue: '3' }] }],
  ['values that are no list', { callValueInfo: 3n }],
  ['a value of a TRC-10 token', { callValueInfo: [{ callValue: 3n, tokenId: '1000001' }] }],
  ['no recipient', { transferTo_address: '' }],
  ['a recipient of a test network', { transferTo_address: `a0${'b'.repeat(40)}` }],
  ['an address in another form', { caller_address: 'TAUN6FwrnwwmaEqYcckffC7wYmbaS6cBiX' }],
])('what is shown with %s proposes nothing, and nothing else is lost', (_, change) => {
  expect(found([entry('call', 3n, change), entry('call', 4n)])).toEqual([
    expect.stringMatching(/^internal:[01]\.0 4$/),
  ]);
});
