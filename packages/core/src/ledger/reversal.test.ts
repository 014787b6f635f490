// What proves that a receipt is gone, below, at and above each bound; and that its reversal and reinstatement balance.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Transfer } from '../chain/transfer.ts';
import { amountOf, unitsOf } from '../money/amount.ts';
import type { OwnAddress } from './account.ts';
import type { Entry } from './entry.ts';
import {
  bookReinstatement,
  bookRepayment,
  bookReversal,
  counterpartOf,
  firstToSearch,
  isGone,
} from './reversal.ts';

const USDT = 1001;
const usdt = (units: bigint) => amountOf(USDT, units);
const receipt: Transfer = {
  chain: 'ETH',
  txId: '0xaa',
  position: 'log:3',
  from: '0xpayer',
  to: '0xours',
  amount: usdt(1_000n),
  block: { number: 500, hash: 'old', time: 7 },
};
const at = { number: 500, hash: 'new', time: 9 };
const ofOrder: OwnAddress = { address: '0xours', purpose: 'order', appId: 'app_1' };
const counterpart = counterpartOf(receipt, at);
const none = usdt(0n);
const lines = ({ postings }: Entry) =>
  postings.map(({ account: { kind, owner }, amount }) => `${kind} ${owner} ${unitsOf(amount)}`);

it('is the same amount back to its sender, in the block of the new branch', () => {
  expect(counterpart).toEqual({
    ...receipt,
    position: 'log:3/reversed',
    from: '0xours',
    to: '0xpayer',
    block: at,
  });
});

describe('a receipt is gone', () => {
  const proof = { at, from: 372, to: 599 };
  const heights = { startNumber: 600, finalNumber: 700, windowBlocks: 128 };

  it('where its block is off the chain and every skipped block was searched', () => {
    expect(isGone(receipt, proof, heights)).toBe(true);
    expect(isGone(receipt, { ...proof, from: 0, to: 9_999 }, heights)).toBe(true);
  });

  it.each([
    ['its block is on the chain', { ...proof, at: receipt.block }, heights],
    ['another height was looked at', { ...proof, at: { ...at, number: 501 } }, heights],
    ['the search began too high', { ...proof, from: 373 }, heights],
    ['the search ended too low', { ...proof, to: 598 }, heights],
    ['the books have read its block', { ...proof, to: 499 }, { ...heights, startNumber: 500 }],
    ['nothing was read yet', proof, { ...heights, startNumber: null }],
  ])('but not where %s', (_, shown, known) => {
    expect(isGone(receipt, shown, known)).toBe(false);
  });

  // hits mark: an-internal-receipt-is-searched-in-every-block
  it('which moved inside a call where every final block was searched, because no block shows it again', () => {
    const inside = { ...receipt, position: 'internal:0' };
    expect(isGone(inside, proof, heights)).toBe(false);
    expect(isGone(inside, { ...proof, to: 699 }, heights)).toBe(false);
    expect(isGone(inside, { ...proof, to: 700 }, heights)).toBe(true);
    expect(isGone(inside, proof, { ...heights, finalNumber: 599 })).toBe(true);
  });

  it('but never where a balance alone showed it', () => {
    const found = { ...receipt, txId: 'balance:0xaa', position: '0xours' };
    expect(isGone(found, { ...proof, to: 9_999 }, heights)).toBe(false);
  });

  it('is searched from the first block on where the window reaches below it', () => {
    expect([firstToSearch(128, 128), firstToSearch(127, 128), firstToSearch(129, 128)]).toEqual([0, 0, 1]);
  });
});

describe('a reversal', () => {
  const credited = { available: usdt(997n), unassigned: none, fee: usdt(3n) };

  it.each([
    ['more than enough', 2_000n, ['available app_1 -997']],
    ['just enough', 997n, ['available app_1 -997']],
    ['one unit too little', 996n, ['available app_1 -996', 'receivable app_1 -1']],
    ['nothing', 0n, ['receivable app_1 -997']],
  ])('takes what the app has, here %s, and the app owes the rest', (_, has, taken) => {
    const entry = bookReversal(counterpart, ofOrder, credited, usdt(has));
    expect([entry.fact, entry.reference]).toEqual(['reversal', 'ETH/0xaa/log:3/reversed']);
    expect(lines(entry)).toEqual(['custody ETH 1000', 'fee gateway -3', ...taken]);
  });

  it('takes a receipt that counts for no order from where it waits, and a wallet of the gateway owes nothing', () => {
    const waiting = { available: none, unassigned: usdt(1_000n), fee: none };
    expect(lines(bookReversal(counterpart, ofOrder, waiting, none))).toEqual([
      'custody ETH 1000',
      'unassigned app_1 -1000',
    ]);
    const gas: OwnAddress = { address: '0xgas', purpose: 'wallet', appId: null };
    expect(lines(bookReversal(counterpart, gas, waiting, none))).toEqual([
      'custody ETH/0xgas 1000',
      'unassigned gateway -1000',
    ]);
  });

  it.each([
    [
      'owes all of it',
      70n,
      ['custody ETH -1000', 'fee gateway 3', 'available app_1 927', 'receivable app_1 70'],
    ],
    [
      'repaid a part',
      20n,
      ['custody ETH -1000', 'fee gateway 3', 'available app_1 977', 'receivable app_1 20'],
    ],
    ['repaid it', 0n, ['custody ETH -1000', 'fee gateway 3', 'available app_1 997']],
    [
      'owes for others too',
      500n,
      ['custody ETH -1000', 'fee gateway 3', 'available app_1 927', 'receivable app_1 70'],
    ],
  ])('goes back as a whole where the app %s', (_, owed, expected) => {
    const { postings } = bookReversal(counterpart, ofOrder, credited, usdt(927n));
    const entry = bookReinstatement(counterpart, postings, usdt(owed));
    expect([entry.fact, entry.reference]).toEqual(['reinstatement', 'ETH/0xaa/log:3/reversed']);
    expect(lines(entry)).toEqual(expected);
  });

  it('and its reinstatement leave every account as it was, whatever the app has', () => {
    const part = fc.bigInt({ min: 0n, max: 10n ** 30n });
    fc.assert(
      fc.property(part, part, part, part, (available, unassigned, fee, has) => {
        const amount = usdt(available + unassigned + fee + 1n);
        const moved = { ...counterpart, amount };
        const brought = { available: usdt(available), unassigned: usdt(unassigned), fee: usdt(fee + 1n) };
        const reversal = bookReversal(moved, ofOrder, brought, usdt(has));
        const owed = available > has ? available - has : 0n;
        const back = bookReinstatement(moved, reversal.postings, usdt(owed));
        const sums = new Map<string, bigint>();
        for (const { account, amount: units } of [...reversal.postings, ...back.postings]) {
          const key = `${account.kind} ${account.owner}`;
          sums.set(key, (sums.get(key) ?? 0n) + unitsOf(units));
        }
        expect([...sums.values()].filter((sum) => sum !== 0n)).toEqual([]);
      }),
    );
  });
});

it('books a repayment from what the app has to what it owes', () => {
  const entry = bookRepayment('rep_1', 'app_1', usdt(5n));
  expect([entry.fact, entry.reference]).toEqual(['repayment', 'rep_1']);
  expect(lines(entry)).toEqual(['available app_1 -5', 'receivable app_1 5']);
});
