// Percent as people type and read it.
import { MAX_DEPOSIT_FEE_PPM } from '@ducat/core/ledger/recipes';
import { describe, expect, it } from 'vitest';
import { percentOf, ppmUpTo } from './percent.ts';

const read = ppmUpTo(MAX_DEPOSIT_FEE_PPM);

describe('percent', () => {
  it.each([
    ['0', 0],
    ['0.03%', 300],
    ['1.5%', 15_000],
    ['0%', 0],
    ['0.0001%', 1],
    ['99.9999%', 999_999],
  ])('%s is %i parts per million', (text, ppm) => {
    expect(read(text)).toBe(ppm);
  });

  it.each([
    '0.03',
    '1',
    '99.9999',
    '100',
    '100%',
    '999',
    '1000',
    '-1',
    '1,5',
    '0.00001',
    '0.00001%',
    '%',
    '',
    '1e1',
  ])('%j is refused', (text) => {
    expect(() => read(text)).toThrow('percent from 0 to 99.9999%');
  });

  it('is shown without zeros at its end', () => {
    expect([0n, 1n, 300n, 15_000n, 999_999n].map(percentOf)).toEqual([
      '0%',
      '0.0001%',
      '0.03%',
      '1.5%',
      '99.9999%',
    ]);
  });
});
