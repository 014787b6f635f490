// Amounts as payers read them: groups of three on both sides of the point, and columns with as many decimals everywhere.
import { expect, it } from 'vitest';
import { digitGroups, withDecimals } from './amounts.ts';

it.each([
  ['26', '26'],
  ['1234.5678', '1234.5678'],
  ['12345.5', '12 345.5'],
  ['25.371842', '25.371 842'],
  ['1234567.89123', '1 234 567.891 23'],
])('sets %s as %s, and keeps each digit', (amount, shown) => {
  const groups = digitGroups(amount);
  expect(groups.join(' ')).toBe(shown);
  expect(groups.join('')).toBe(amount);
});

it('gives amounts of one column as many decimals as the longest has', () => {
  const column = ['26', '0.00912', '23.4'];
  expect(withDecimals(column)).toEqual(['26.00000', '0.00912', '23.40000']);
  expect(withDecimals(['26', '900'])).toEqual(['26', '900']);
});
