// Ledger and chain agree to the unit, or the difference is named with its sign.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { amountOf } from '../money/amount.ts';
import { distance, isExplained, reconcileCurrency } from './reconcile.ts';

const units = fc.bigInt({ min: 0n, max: 2n ** 200n });

describe('reconcileCurrency', () => {
  it('explains exactly a ledger that equals the balances', () => {
    fc.assert(
      fc.property(units, fc.bigInt({ min: -5n, max: 5n }), (held, off) => {
        const found = reconcileCurrency(1001, amountOf(1001, held - off), amountOf(1001, held));
        expect(found.unexplained).toEqual(amountOf(1001, off));
        expect(isExplained(found)).toBe(off === 0n);
      }),
    );
  });

  it('takes a currency that the ledger never saw as zero', () => {
    expect(reconcileCurrency(1001, undefined, amountOf(1001, 7n)).unexplained).toEqual(amountOf(1001, 7n));
    expect(isExplained(reconcileCurrency(1001))).toBe(true);
  });

  it('does not explain a loss of one address by a surplus of another', () => {
    const held = amountOf(1001, 10n);
    const found = reconcileCurrency(1001, held, held, amountOf(1001, 2n));
    expect(found.unexplained).toEqual(amountOf(1001, 0n));
    expect(isExplained(found)).toBe(false);
  });
});

describe('distance', () => {
  it('is the same both ways and never negative', () => {
    const [few, many] = [amountOf(1001, 3n), amountOf(1001, 5n)];
    expect([distance(few, many), distance(many, few)]).toEqual([amountOf(1001, 2n), amountOf(1001, 2n)]);
    expect(distance(few, few)).toEqual(amountOf(1001, 0n));
  });
});
