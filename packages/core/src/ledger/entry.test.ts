// An entry balances in each currency, or it is a bug.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Bug } from '../assert.ts';
import { amountOf, unitsOf } from '../money/amount.ts';
import { availableOf, custodyOf } from './account.ts';
import { entryOf, type Posting } from './entry.ts';

const posting = fc
  .record({ currencyId: fc.constantFrom(1000, 1001, 2001), units: fc.bigInt({ min: -100n, max: 100n }) })
  .map(
    ({ currencyId, units }): Posting => ({
      account: availableOf('app_1'),
      amount: amountOf(currencyId, units),
    }),
  );

function sumsOf(postings: readonly Posting[]): ReadonlyMap<number, bigint> {
  const sums = new Map<number, bigint>();
  for (const { amount } of postings) {
    sums.set(amount.currencyId, (sums.get(amount.currencyId) ?? 0n) + unitsOf(amount));
  }
  return sums;
}

describe('entryOf', () => {
  it('takes postings exactly when each currency sums to zero', () => {
    fc.assert(
      fc.property(fc.array(posting, { maxLength: 6 }), (postings) => {
        const isBalanced = [...sumsOf(postings).values()].every((sum) => sum === 0n);
        if (isBalanced) expect(() => entryOf('deposit', 'r', postings)).not.toThrow();
        else expect(() => entryOf('deposit', 'r', postings)).toThrow(Bug);
      }),
    );
  });

  it('takes any postings together with what balances them, without the zeros', () => {
    fc.assert(
      fc.property(fc.array(posting, { maxLength: 6 }), (postings) => {
        const counter = [...sumsOf(postings)].map(([currencyId, units]) => ({
          account: custodyOf('ETH'),
          amount: amountOf(currencyId, -units),
        }));
        const entry = entryOf('deposit', 'r', [...postings, ...counter]);
        expect(entry.postings.every(({ amount }) => unitsOf(amount) !== 0n)).toBe(true);
        expect([...sumsOf(entry.postings).values()].every((sum) => sum === 0n)).toBe(true);
      }),
    );
  });

  it('does not let one currency balance another', () => {
    const postings = [
      { account: custodyOf('ETH'), amount: amountOf(1001, -5n) },
      { account: availableOf('app_1'), amount: amountOf(2001, 5n) },
    ];
    expect(() => entryOf('deposit', 'r', postings)).toThrow('does not balance');
  });
});
