// Shows that a run in which nobody paid is a finding, and by which chain.
import { expect, it } from 'vitest';
import { checkPaid } from './check-paid.ts';

const paid = { name: 'ETH', orders: 40, payments: 30 };

it('finds nothing where every chain had payments', () => {
  expect(checkPaid([paid, { name: 'Tron', orders: 1, payments: 1 }], 'out of funds')).toEqual([]);
});

it('finds the chain whose orders were all left unpaid, and says how a node refused its payers', () => {
  const found = checkPaid([paid, { name: 'Tron', orders: 25, payments: 0 }], 'out of funds');
  expect(found).toEqual([
    { fault: 'wrong', what: 'Tron had 25 orders and no final payment; a node last said: out of funds' },
  ]);
});

it('lets a few orders go unpaid where other chains had payments, since some customers never pay', () => {
  expect(checkPaid([paid, { name: 'Tron', orders: 2, payments: 0 }], null)).toEqual([]);
});

it('finds a run without any payment, however short', () => {
  const found = checkPaid([{ name: 'ETH', orders: 2, payments: 0 }], null);
  expect(found).toEqual([{ fault: 'wrong', what: 'no chain had a final payment; no node refused one' }]);
});
