// A payment that is gone lowers what its order collected, and one that came back may pay an open order in full.
import { describe, expect, it } from 'vitest';
import { amountOf } from '../money/amount.ts';
import type { Order } from './order.ts';
import { reinstatePayment, reversePayment } from './reverse-payment.ts';

const USDT = 1001;
const units = (count: bigint) => amountOf(USDT, count);
const order: Order = {
  tradeNo: 'ord_1',
  appId: 'app_1',
  currencyId: USDT,
  due: units(1_000n),
  collected: units(600n),
  lastTxId: '0xaa',
  tolerancePpm: 0n,
  status: 'TO-BE-PAID',
  createTime: 1_000,
  timeExpire: 2_000,
};
const transfer = {
  chain: 'ETH',
  txId: '0xback',
  position: 'log:0',
  from: '0xpayer',
  to: '0xours',
  amount: units(400n),
  block: { number: 9, hash: '0xb9', time: 1_500 },
};

describe('a reversal', () => {
  it.each(['TO-BE-PAID', 'PAID', 'TIME-OUT'] as const)(
    'lowers the sum of an order that is %s, and nothing else',
    (status) => {
      const before = { ...order, status };
      expect(reversePayment(before, transfer, units(0n))).toEqual({ ...before, collected: units(200n) });
    },
  );

  it.each([
    [199n, units(200n)],
    [200n, units(200n)],
    [201n, undefined],
  ])('leaves at least what was sent back, here %s', (sentBack, collected) => {
    expect(reversePayment(order, transfer, units(sentBack))?.collected).toEqual(collected);
  });
});

describe('a reinstatement', () => {
  it('pays an open order in full, once, with the event', () => {
    const { order: after, events } = reinstatePayment(order, transfer);
    expect(after).toEqual({ ...order, collected: units(1_000n), status: 'PAID', lastTxId: '0xback' });
    expect(events).toEqual([
      {
        type: 'PAYMENT',
        tradeNo: 'ord_1',
        status: 'PAID',
        collected: units(1_000n),
        txId: '0xback',
        time: 1_500,
      },
    ]);
  });

  it.each([
    ['an open order that stays short by a unit', { ...order, collected: units(599n) }],
    ['one that was paid', { ...order, status: 'PAID' as const }],
    ['one that has timed out', { ...order, status: 'TIME-OUT' as const }],
  ])('raises the sum of %s without an event', (_, before) => {
    const collected = amountOf(USDT, before.collected === order.collected ? 1_000n : 999n);
    expect(reinstatePayment(before, transfer)).toEqual({ order: { ...before, collected }, events: [] });
  });
});
