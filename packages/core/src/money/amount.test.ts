// Amounts add up like whole numbers of one currency, and nothing is lost where they are divided.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Bug } from '../assert.ts';
import {
  add,
  amountOf,
  compare,
  divide,
  isPositive,
  isZero,
  negate,
  type Rounding,
  share,
  subtract,
  times,
  timesIn,
  unitsOf,
  zero,
} from './amount.ts';

const USDT = 1001;
const units = fc.bigInt({ min: -(2n ** 256n), max: 2n ** 256n });
const positive = fc.bigInt({ min: 0n, max: 2n ** 256n });
const partsPerMillion = fc.bigInt({ min: 0n, max: 2_000_000n });

describe('amounts of one currency', () => {
  it('add and subtract exactly, whatever their size', () => {
    fc.assert(
      fc.property(units, units, (a, b) => {
        const sum = add(amountOf(USDT, a), amountOf(USDT, b));
        expect(sum).toEqual(amountOf(USDT, a + b));
        expect(subtract(sum, amountOf(USDT, b))).toEqual(amountOf(USDT, a));
        expect(add(sum, negate(sum))).toEqual(zero(USDT));
      }),
    );
  });

  it('compare like their units', () => {
    fc.assert(
      fc.property(units, units, (a, b) => {
        const expected = a < b ? -1 : a > b ? 1 : 0;
        expect(compare(amountOf(USDT, a), amountOf(USDT, b))).toBe(expected);
        expect(isZero(amountOf(USDT, a))).toBe(a === 0n);
        expect(isPositive(amountOf(USDT, a))).toBe(a > 0n);
        expect(unitsOf(amountOf(USDT, a))).toBe(a);
      }),
    );
  });
});

describe('amounts of two currencies', () => {
  it.each([add, subtract, compare])('are never mixed by %o', (operation) => {
    expect(() => operation(amountOf(1001, 1n), amountOf(2001, 1n))).toThrow(Bug);
  });
});

describe('share', () => {
  it('creates and destroys nothing, in either direction', () => {
    fc.assert(
      fc.property(positive, partsPerMillion, fc.constantFrom('up', 'down'), (value, ppm, rounding) => {
        const { part, rest } = share(amountOf(USDT, value), ppm, rounding);
        expect(add(part, rest)).toEqual(amountOf(USDT, value));
        const exact = value * ppm;
        const off = unitsOf(part) * 1_000_000n - exact;
        expect(rounding === 'down' ? off <= 0n && off > -1_000_000n : off >= 0n && off < 1_000_000n).toBe(
          true,
        );
      }),
    );
  });

  it('is taken of nothing negative', () => {
    expect(() => share(amountOf(USDT, -1n), 300n, 'down')).toThrow(Bug);
    expect(() => share(amountOf(USDT, 1n), -1n, 'down')).toThrow(Bug);
    expect(() => share(amountOf(USDT, -1n), 0n, 'down')).toThrow(Bug);
    expect(() => share(amountOf(USDT, 0n), -1n, 'down')).toThrow(Bug);
  });
});

describe('whole times an amount', () => {
  it('count it, and count how often it fits', () => {
    expect(times(amountOf(USDT, 7n), 3n)).toEqual(amountOf(USDT, 21n));
    const fits = (rounding: Rounding) => timesIn(amountOf(USDT, 22n), amountOf(USDT, 7n), rounding);
    expect([fits('down'), fits('up')]).toEqual([3n, 4n]);
    expect(() => timesIn(amountOf(USDT, 1n), amountOf(2001, 1n), 'down')).toThrow(Bug);
  });
});

describe('divide', () => {
  it('rounds to the neighbour that was named, and not at all where it comes out even', () => {
    fc.assert(
      fc.property(positive, fc.bigInt({ min: 1n, max: 10n ** 40n }), (numerator, denominator) => {
        const down = divide(numerator, denominator, 'down');
        const up = divide(numerator, denominator, 'up');
        expect(down * denominator <= numerator && (down + 1n) * denominator > numerator).toBe(true);
        expect(up - down).toBe(numerator % denominator === 0n ? 0n : 1n);
      }),
    );
  });

  it('refuses a divisor of zero and negative numbers', () => {
    expect(() => divide(1n, 0n, 'down')).toThrow(Bug);
    expect(() => divide(-1n, 1n, 'down')).toThrow(Bug);
    expect(() => divide(1n, -1n, 'up')).toThrow(Bug);
  });
});
