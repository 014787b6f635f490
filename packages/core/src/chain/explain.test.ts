// A difference is never explained by more than it is, and always by what was reported where that fits.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Bug } from '../assert.ts';
import { amountOf, unitsOf } from '../money/amount.ts';
import { explain } from './explain.ts';
import type { Transfer } from './transfer.ts';

const ETH = 1000;

function candidate(units: bigint, index: number): Transfer {
  const block = { number: index, hash: `0x${index}`, time: index };
  const amount = amountOf(ETH, units);
  return { chain: 'ETH', txId: `0x${index}`, position: 'call:0', from: '0xa', to: '0xb', amount, block };
}

const units = fc.bigInt({ min: 1n, max: 50n });
const sum = (all: readonly Transfer[]) => all.reduce((total, { amount }) => total + unitsOf(amount), 0n);

describe('explain', () => {
  it('splits the difference into what is confirmed and what is left, and claims no more', () => {
    fc.assert(
      fc.property(units, fc.array(units, { maxLength: 8 }), (difference, proposed) => {
        const candidates = proposed.map(candidate);
        const { confirmed, rest } = explain(amountOf(ETH, difference), candidates);
        expect(sum(confirmed) + unitsOf(rest)).toBe(difference);
        expect(unitsOf(rest)).toBeGreaterThanOrEqual(0n);
        expect(candidates.filter((one) => confirmed.includes(one))).toEqual(confirmed);
        for (const left of candidates.filter((one) => !confirmed.includes(one))) {
          expect(unitsOf(left.amount)).toBeGreaterThan(unitsOf(rest));
        }
      }),
    );
  });

  it('confirms all of them where they are all that came', () => {
    fc.assert(
      fc.property(fc.array(units, { minLength: 1, maxLength: 8 }), (proposed) => {
        const candidates = proposed.map(candidate);
        const { confirmed, rest } = explain(amountOf(ETH, sum(candidates)), candidates);
        expect(confirmed).toEqual(candidates);
        expect(unitsOf(rest)).toBe(0n);
      }),
    );
  });

  it.each([0n, -1n])('has nothing to explain where %s came', (difference) => {
    expect(() => explain(amountOf(ETH, difference), [])).toThrow(Bug);
  });
});
