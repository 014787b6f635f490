// What each fact about a payout or about cold storage moves, from which account to which, to the unit.
import { expect, it } from 'vitest';
import { amountOf, unitsOf } from '../money/amount.ts';
import type { Payout } from '../payout/payout.ts';
import type { OwnAddress } from './account.ts';
import { bookColdReturn, bookColdTransfer } from './cold-recipes.ts';
import type { Entry } from './entry.ts';
import { bookAdoption, bookPayout, bookRelease, bookReservation, bookUnread } from './payout-recipes.ts';

const usdt = (units: bigint) => amountOf(1001, units);
const payout: Payout = {
  tradeNo: 'pay_1',
  appId: 'app_1',
  chain: 'ETH',
  currencyId: 1001,
  source: 'available',
  toAddress: '0xto',
  amount: usdt(1_000n),
  serviceCharge: usdt(3n),
  gas: usdt(40n),
  receipt: usdt(1_000n),
  reserved: usdt(1_043n),
  networkFee: amountOf(1000, 9n),
  feeCap: amountOf(1000, 90n),
  status: 'PROGRESS',
  needsApproval: false,
  approvedUntil: null,
  isClaimed: false,
  createTime: 100,
  startTime: null,
};
const refund: Payout = { ...payout, source: 'unassigned' };
const block = { number: 7, hash: '0xb7', time: 500 };
const moved = { chain: 'ETH', txId: '0xaa', position: 'log:3', amount: usdt(7n), block } as const;
const wallet: OwnAddress = { address: '0xwallet', purpose: 'wallet', appId: 'app_1' };
const cold = { coldTransferId: 'cold_1', chain: 'ETH', to: '0xcold', amount: usdt(7n) };

// Each is booked in its test: what runs while a file is loaded belongs to no test of `npm run mutants`.
it.each<readonly [() => Entry, string, string, readonly string[]]>([
  [() => bookReservation(payout), 'reservation', 'pay_1', ['available app_1 -1043', 'frozen app_1 1043']],
  [() => bookReservation(refund), 'reservation', 'pay_1', ['unassigned app_1 -1043', 'frozen app_1 1043']],
  [
    () => bookPayout(payout),
    'payout',
    'pay_1',
    ['frozen app_1 -1043', 'sent ETH 1000', 'fee gateway 3', 'network-charge gateway 40'],
  ],
  [() => bookRelease(payout), 'release', 'pay_1', ['frozen app_1 -1043', 'available app_1 1043']],
  [() => bookRelease(refund), 'release', 'pay_1', ['frozen app_1 -1043', 'unassigned app_1 1043']],
  [
    () => bookRelease(payout, usdt(400n)),
    'release',
    'pay_1',
    ['frozen app_1 -1043', 'available app_1 643', 'sent ETH 400'],
  ],
  [
    () => bookUnread(payout, '0xaa', '0xwallet'),
    'sent-unread',
    'ETH/0xaa/unread',
    ['custody ETH/0xwallet 1000', 'sent ETH -1000'],
  ],
  [() => bookAdoption(moved), 'adoption', 'ETH/0xaa/log:3', ['suspense ETH 7', 'sent ETH -7']],
  [() => bookAdoption(moved, usdt(2n)), 'adoption', 'ETH/0xaa/log:3', ['suspense ETH 2', 'sent ETH -2']],
  [() => bookColdTransfer(cold), 'cold-transfer', 'cold_1', ['sent ETH 7', 'cold ETH/0xcold -7']],
  [
    () => bookColdReturn({ ...moved, from: '0xcold', to: '0xwallet' }, wallet),
    'move',
    'ETH/0xaa/log:3',
    ['cold ETH/0xcold 7', 'custody ETH/0xwallet -7'],
  ],
])('%s', (book, fact, reference, postings) => {
  const entry = book();
  const shown = entry.postings.map(
    ({ account, amount }) => `${account.kind} ${account.owner} ${unitsOf(amount)}`,
  );
  expect([entry.fact, entry.reference, shown]).toEqual([fact, reference, postings]);
});
