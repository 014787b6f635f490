// Prices are read exactly, whatever form a source writes them in, and nothing else is taken for one.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parsePrice } from './price-text.ts';

const E18 = 10n ** 18n;

describe('parsePrice', () => {
  it.each([
    ['4000', 4000n * E18],
    ['0.9998', 9998n * 10n ** 14n],
    ['1.000000000000000001', E18 + 1n],
    ['6.9023031278661e-5', 69_023_031_278_661n],
    ['4.2E-7', 420_000_000_000n],
    ['1e3', 1000n * E18],
    ['1.5e+2', 150n * E18],
    ['0', 0n],
    ['0.0000', 0n],
    ['1'.repeat(60), BigInt('1'.repeat(60)) * E18],
    ['1e40', 10n ** 58n],
    [`1${'0'.repeat(40)}e-40`, E18],
  ])('reads %s', (text, units) => {
    expect(parsePrice(text, 'down')).toBe(units);
    expect(parsePrice(text, 'up')).toBe(units);
  });

  it('rounds digits behind the eighteenth as it is asked to', () => {
    expect(parsePrice('0.1234567890123456789', 'down')).toBe(123_456_789_012_345_678n);
    expect(parsePrice('0.1234567890123456789', 'up')).toBe(123_456_789_012_345_679n);
    expect(parsePrice('1e-19', 'down')).toBe(0n);
  });

  it.each([
    '',
    '-1',
    '+1',
    ' 1',
    '1 ',
    '1.',
    '.5',
    '00',
    '01.5',
    '1,5',
    '1_000',
    '0x10',
    'NaN',
    'Infinity',
    '1e',
    '1e41',
    '1e-41',
    '1e99999',
    '1'.repeat(61),
    '٣',
    'null',
    '1e1.5',
  ])('refuses %j', (text) => {
    expect(parsePrice(text, 'down')).toBeNull();
  });

  it('reads a number with an exponent as the same number without', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 0n, max: 10n ** 15n }),
        fc.integer({ min: 0, max: 18 }),
        (digits, shift) => {
          expect(parsePrice(`${digits}e-${shift}`, 'down')).toBe(digits * 10n ** BigInt(18 - shift));
        },
      ),
    );
  });
});
