// Each business fact is booked in full: what came in is the merchant's and the fee, to the unit.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Transfer } from '../chain/transfer.ts';
import { amountOf, unitsOf } from '../money/amount.ts';
import type { AccountKind, OwnAddress } from './account.ts';
import type { Entry } from './entry.ts';
import {
  bookAssignment,
  bookDeposit,
  bookMove,
  bookNetworkFee,
  bookOutflow,
  bookSent,
  bookUnassignedReceipt,
  DEFAULT_DEPOSIT_FEE_PPM,
  transferReference,
} from './recipes.ts';

function transfer(units: bigint): Transfer {
  return {
    chain: 'ETH',
    txId: '0xaa',
    position: 'log:3',
    from: '0xpayer',
    to: '0xorder',
    amount: amountOf(1001, units),
    block: { number: 1, hash: '0xb1', time: 1_000 },
  };
}

function unitsBy({ postings }: Entry): Readonly<Partial<Record<AccountKind, bigint>>> {
  return Object.fromEntries(postings.map(({ account, amount }) => [account.kind, unitsOf(amount)]));
}

const units = fc.bigInt({ min: 1n, max: 2n ** 256n - 1n });

describe('bookDeposit', () => {
  it('sums to zero, with the fee rounded down so that the merchant gets the odd unit', () => {
    fc.assert(
      fc.property(units, fc.bigInt({ min: 0n, max: 1_000_000n }), (value, feePpm) => {
        const {
          custody = 0n,
          available = 0n,
          fee = 0n,
        } = unitsBy(bookDeposit(transfer(value), 'app_1', feePpm));
        expect(custody).toBe(-value);
        expect(available + fee).toBe(value);
        expect(fee).toBe((value * feePpm) / 1_000_000n);
      }),
    );
  });

  it.each([
    [1n, undefined, 1n],
    [3_333n, undefined, 3_333n],
    [3_334n, 1n, 3_333n],
    [10_000_000n, 3_000n, 9_997_000n],
  ])('of %s units takes %s at the default of 0.03 %%', (value, fee, available) => {
    const booked = unitsBy(bookDeposit(transfer(value), 'app_1', DEFAULT_DEPOSIT_FEE_PPM));
    expect(booked).toEqual({ custody: -value, available, ...(fee === undefined ? {} : { fee }) });
  });

  it('names the transfer, so that the same one is never booked twice', () => {
    const entry = bookDeposit(transfer(1n), 'app_1', 0n);
    expect(entry).toMatchObject({ fact: 'deposit', reference: 'ETH/0xaa/log:3' });
    expect(transferReference({ chain: 'ETH', txId: '0xaa', position: 'log:4' })).not.toBe(entry.reference);
  });
});

const deposit: OwnAddress = { address: '0xorder', purpose: 'order', appId: 'app_1' };
const code: OwnAddress = { address: '0xcode', purpose: 'static', appId: 'app_2' };
const wallet: OwnAddress = { address: '0xwallet', purpose: 'wallet', appId: null };

function postingsOf(entry: Entry | null): readonly (readonly [string, string, bigint])[] {
  return (entry?.postings ?? []).map(({ account, amount }) => [account.kind, account.owner, unitsOf(amount)]);
}

describe('bookUnassignedReceipt', () => {
  it('keeps all of it apart for the app, without a fee', () => {
    fc.assert(
      fc.property(units, (value) => {
        const entry = bookUnassignedReceipt(transfer(value), deposit);
        expect(unitsBy(entry)).toEqual({ custody: -value, unassigned: value });
        expect(entry.fact).toBe('unassigned-receipt');
      }),
    );
  });

  it('keeps what reaches a wallet of the gateway for the gateway, in the custody of that wallet', () => {
    expect(postingsOf(bookUnassignedReceipt(transfer(5n), wallet))).toEqual([
      ['custody', 'ETH/0xwallet', -5n],
      ['unassigned', 'gateway', 5n],
    ]);
  });
});

describe('bookAssignment', () => {
  it('makes the receipt the merchant’s, less the fee that was not taken before', () => {
    const entry = bookAssignment(transfer(10_001n), 'app_1', 300n);
    expect(entry).toMatchObject({ fact: 'assignment', reference: 'ETH/0xaa/log:3' });
    expect(unitsBy(entry)).toEqual({ unassigned: -10_001n, available: 9_998n, fee: 3n });
  });
});

describe('money that leaves an address of ours', () => {
  it('is in suspense where it went to a stranger', () => {
    const entry = bookOutflow(transfer(7n), deposit);
    expect(entry).toMatchObject({ fact: 'outflow', reference: 'ETH/0xaa/log:3' });
    expect(postingsOf(entry)).toEqual([
      ['custody', 'ETH', 7n],
      ['suspense', 'ETH', -7n],
    ]);
  });

  it('waits for its subject where it left as promised', () => {
    const entry = bookSent(transfer(7n), wallet);
    expect(entry).toMatchObject({ fact: 'sent', reference: 'ETH/0xaa/log:3' });
    expect(postingsOf(entry)).toEqual([
      ['custody', 'ETH/0xwallet', 7n],
      ['sent', 'ETH', -7n],
    ]);
  });

  it('is the gateway’s expense where it paid the network', () => {
    const block = { number: 1, hash: '0xb1', time: 1_000 };
    const entry = bookNetworkFee(
      { chain: 'ETH', txId: '0xaa', status: 'failed', payer: '0xwallet', fee: amountOf(1000, 9n), block },
      wallet,
    );
    expect(entry).toMatchObject({ fact: 'network-fee', reference: 'ETH/0xaa/fee' });
    expect(postingsOf(entry)).toEqual([
      ['custody', 'ETH/0xwallet', 9n],
      ['network-fee', 'gateway', -9n],
    ]);
  });

  it.each([
    ['a deposit address to a wallet', deposit, wallet, 'ETH', 'ETH/0xwallet'],
    ['a wallet to a deposit address', wallet, code, 'ETH/0xwallet', 'ETH'],
  ])('moves from %s', (_, from, to, source, target) => {
    expect(postingsOf(bookMove(transfer(7n), from, to))).toEqual([
      ['custody', source, 7n],
      ['custody', target, -7n],
    ]);
  });

  it('posts nothing between two deposit addresses, or where it stays', () => {
    expect(bookMove(transfer(7n), deposit, code)).toBeNull();
    expect(bookMove(transfer(7n), wallet, wallet)).toBeNull();
  });
});
