// Each business fact is booked in full: what came in is the merchant's and the fee, to the unit.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Transfer } from '../chain/transfer.ts';
import { amountOf, unitsOf } from '../money/amount.ts';
import type { AccountKind } from './account.ts';
import type { Entry } from './entry.ts';
import { bookDeposit, bookUnassignedReceipt, DEFAULT_DEPOSIT_FEE_PPM, transferReference } from './recipes.ts';

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

describe('bookUnassignedReceipt', () => {
  it('keeps all of it apart for the app, without a fee', () => {
    fc.assert(
      fc.property(units, (value) => {
        const entry = bookUnassignedReceipt(transfer(value), 'app_1');
        expect(unitsBy(entry)).toEqual({ custody: -value, unassigned: value });
        expect(entry.fact).toBe('unassigned-receipt');
      }),
    );
  });
});
