// A person forgives the time of an order's money, and never its sum.
import { expect, it } from 'vitest';
import { amountOf } from '../money/amount.ts';
import { acceptLate } from './accept-late.ts';
import type { Order } from './order.ts';

const USDT = 1001;
const units = (count: bigint) => amountOf(USDT, count);
const order: Order = {
  tradeNo: 'ord_1',
  appId: 'app_1',
  currencyId: USDT,
  due: units(1_000n),
  collected: units(1_200n),
  lastTxId: '0xaa',
  tolerancePpm: 10_000n,
  status: 'TIME-OUT',
  createTime: 1_000,
  timeExpire: 2_000,
};
const newest = { txId: '0xbb', block: { number: 1, hash: '0xb1', time: 2_500 } };

it.each([
  ['an order that may still be paid', { ...order, status: 'TO-BE-PAID' }, newest, 0n, 'still-open'],
  ['one that was paid', { ...order, status: 'PAID' }, newest, 0n, 'already-paid'],
  ['one that nothing came for', order, null, 0n, 'short'],
  ['one whose money goes back', order, newest, 211n, 'short'],
  ['one of which as much stays as tolerance allows', order, newest, 210n, 'accepted'],
] as const)('%s', (_, before, youngest, refunded, outcome) => {
  expect(acceptLate(before, youngest, units(refunded)).outcome).toBe(outcome);
});

it('makes the order PAID, and sends its merchant the sum that stays', () => {
  const paid = { ...order, status: 'PAID' };
  expect(acceptLate(order, newest, units(150n))).toEqual({
    outcome: 'accepted',
    order: paid,
    events: [
      {
        type: 'PAYMENT',
        tradeNo: 'ord_1',
        status: 'PAID',
        collected: units(1_050n),
        txId: '0xbb',
        time: 2_500,
      },
    ],
  });
});
