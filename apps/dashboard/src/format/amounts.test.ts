// Amounts as they are written: the decimals of a column.
import { expect, it } from 'vitest';
import { evenDecimals } from './amounts.ts';

it('pads to the longest of the column, and to two decimals at least', () => {
  const column = ['219.484135', '2', '0.0225000'];
  expect(column.map((amount) => evenDecimals(amount, column))).toEqual([
    '219.484135',
    '2.000000',
    '0.022500',
  ]);
  expect(evenDecimals('3', ['3', '4.5'])).toBe('3.00');
  expect(evenDecimals('3', [])).toBe('3.00');
});
