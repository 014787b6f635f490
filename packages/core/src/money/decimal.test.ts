// Decimal text and units agree, or the text is refused.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { amountOf } from './amount.ts';
import { formatAmount, formatDecimal, parseAmount, parseDecimal } from './decimal.ts';

const units = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n });
const decimals = fc.integer({ min: 0, max: 36 });

describe('parseDecimal', () => {
  it('reads back whatever formatDecimal writes', () => {
    fc.assert(
      fc.property(units, fc.integer({ min: 0, max: 18 }), (value, places) => {
        // Numbers of 78 digits leave no room for more digits behind the point than they have.
        expect(parseDecimal(formatDecimal(value, places), places)).toBe(value);
      }),
    );
  });

  it('reads digits with a point as the number they are, zeros in front and behind included', () => {
    const digits = fc.stringMatching(/^[0-9]{1,20}$/);
    fc.assert(
      fc.property(digits, digits, fc.integer({ min: 20, max: 30 }), (whole, fraction, places) => {
        const expected =
          BigInt(whole) * 10n ** BigInt(places) + BigInt(fraction) * 10n ** BigInt(places - fraction.length);
        expect(parseDecimal(`${whole}.${fraction}`, places)).toBe(expected);
      }),
    );
  });

  it.each([
    '',
    ' ',
    '.',
    '1.',
    '.5',
    '1.2.3',
    '+1',
    '-1',
    '-0',
    ' 1',
    '1 ',
    '1\n',
    '\t1',
    '1e3',
    '1E3',
    '0x10',
    '1_000',
    '1,5',
    '1 000',
    'NaN',
    'Infinity',
    '٣',
    '१',
    '１',
    '1.٣',
    '1\u0000',
    '1n',
    '--1',
    '½',
    '1\u00a0',
  ])('refuses %j', (text) => {
    expect(parseDecimal(text, 18)).toBeNull();
  });

  it('refuses any text that is not digits with at most one point', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 12 }), (text) => {
        fc.pre(!/^[0-9]+(\.[0-9]+)?$/.test(text));
        expect(parseDecimal(text, 18)).toBeNull();
      }),
    );
  });

  it('refuses one digit more behind the point than there are decimals, even a zero', () => {
    fc.assert(
      fc.property(decimals, (places) => {
        expect(parseDecimal(`1.${'0'.repeat(places + 1)}`, places)).toBeNull();
        if (places > 0) expect(parseDecimal(`1.${'0'.repeat(places)}`, places)).toBe(10n ** BigInt(places));
      }),
    );
  });

  it('holds every 256-bit number and refuses text of more than 80 characters', () => {
    const most = 2n ** 256n - 1n;
    expect(parseDecimal(most.toString(), 0)).toBe(most);
    expect(parseDecimal('0'.repeat(80), 0)).toBe(0n);
    expect(parseDecimal('0'.repeat(81), 0)).toBeNull();
  });
});

describe('formatDecimal', () => {
  it.each([
    [0n, 0, '0'],
    [0n, 18, '0'],
    [1n, 18, '0.000000000000000001'],
    [1_500_000n, 6, '1.5'],
    [1_000_000n, 6, '1'],
    [10n, 0, '10'],
    [-1n, 2, '-0.01'],
    [-150n, 2, '-1.5'],
  ])('writes %s with %s decimals as %s', (value, places, text) => {
    expect(formatDecimal(value, places)).toBe(text);
  });

  it('never writes an exponent, a point without digits or zeros at the end', () => {
    fc.assert(
      fc.property(units, decimals, (value, places) => {
        const text = formatDecimal(value, places);
        expect(text).toMatch(/^(0|[1-9][0-9]*)(\.[0-9]*[1-9])?$/);
      }),
    );
  });
});

describe('amounts as text', () => {
  it('keep their currency and their value', () => {
    const usdt = { currencyId: 1001, decimals: 6 };
    fc.assert(
      fc.property(units, (value) => {
        const amount = amountOf(1001, value);
        expect(parseAmount(formatAmount(amount, usdt), usdt)).toEqual(amount);
      }),
    );
    expect(parseAmount('1.0000001', usdt)).toBeNull();
  });
});
