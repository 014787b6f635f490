// What is taken for a number, an address, a hash and data, and what is not.
import { describe, expect, it } from 'vitest';
import { isAddress, isData, isHash, isQuantity } from './hex-text.ts';

const digits = (count: number): string => `0x${'aB'.repeat(count / 2)}`;

describe('isQuantity', () => {
  it.each(['0x0', '0x1', '0xaF0', `0x${'f'.repeat(64)}`])('takes %s', (text) => {
    expect(isQuantity(text)).toBe(true);
  });
  it.each([
    '0x',
    '0x01',
    '0x00',
    '0X1',
    '1',
    '0xzz',
    '0x5z',
    '0x1\n',
    ' 0x1',
    `0x${'f'.repeat(65)}`,
    1,
    null,
  ])('refuses %j', (value) => {
    expect(isQuantity(value)).toBe(false);
  });
});

describe('isAddress, isHash and isData', () => {
  it('want whole bytes, of the right number, and nothing but hex', () => {
    expect([isAddress(digits(40)), isAddress(digits(42)), isAddress(digits(38))]).toEqual([
      true,
      false,
      false,
    ]);
    expect([isHash(digits(64)), isHash(digits(66)), isHash(digits(40))]).toEqual([true, false, false]);
    expect([isData('0x'), isData('0xab'), isData(digits(512), 256)]).toEqual([true, true, true]);
    expect([isData('0xabc'), isData('0xzz'), isData('ab'), isData('0xab\0\0')]).toEqual(Array(4).fill(false));
    expect([isData('0xab', 2), isData(null), isAddress(`0x${'zz'.repeat(20)}`)]).toEqual(
      Array(3).fill(false),
    );
  });
  it('look at megabytes without running out of stack', () => {
    expect(isData(digits(8_000_000))).toBe(true);
    expect(isData(`${digits(8_000_000)}zz`)).toBe(false);
  });
});
