// What a receipt does to the order that a person assigns it to, case by case.
import { describe, expect, it } from 'vitest';
import { amountOf } from '../money/amount.ts';
import { assignReceipt } from './assign-receipt.ts';
import type { Order, OrderStatus } from './order.ts';

const USDT = 1001;
const EXPIRY = 2_000;

function order(status: OrderStatus, collected: bigint): Order {
  return {
    tradeNo: 'ord_1',
    appId: 'app_1',
    currencyId: USDT,
    due: amountOf(USDT, 1_000n),
    collected: amountOf(USDT, collected),
    lastTxId: '',
    tolerancePpm: 0n,
    status,
    createTime: 1_000,
    timeExpire: EXPIRY,
  };
}

function receipt(units: bigint, time: number, appId: string | null = 'app_1', currencyId = USDT) {
  const block = { number: 1, hash: '0xb1', time };
  const amount = amountOf(currencyId, units);
  return {
    appId,
    transfer: {
      chain: 'ETH',
      txId: '0xaa',
      position: 'log:0',
      from: '0xpayer',
      to: '0xorder',
      amount,
      block,
    },
  };
}

interface Case {
  readonly name: string;
  readonly status: OrderStatus;
  readonly collected: bigint;
  readonly paidInTime: bigint;
  readonly units: bigint;
  readonly time: number;
  readonly after: readonly [OrderStatus, bigint, string, readonly string[]];
}

const inTime = 1_500;
const late = EXPIRY + 1;
const cases: readonly Case[] = [
  {
    name: 'in time pays an open order',
    ...{ status: 'TO-BE-PAID', collected: 400n, paidInTime: 400n, units: 600n, time: inTime },
    after: ['PAID', 1_000n, 'payment', ['PAID']],
  },
  {
    name: 'in time leaves an open order short',
    ...{ status: 'TO-BE-PAID', collected: 0n, paidInTime: 0n, units: 600n, time: inTime },
    after: ['TO-BE-PAID', 600n, 'payment', ['TO-BE-PAID']],
  },
  {
    name: 'is extra for a paid order',
    ...{ status: 'PAID', collected: 1_000n, paidInTime: 1_000n, units: 5n, time: late },
    after: ['PAID', 1_005n, 'extra', []],
  },
  {
    name: 'after the expiry is late',
    ...{ status: 'TIME-OUT', collected: 0n, paidInTime: 0n, units: 1_000n, time: late },
    after: ['TIME-OUT', 1_000n, 'late', []],
  },
  {
    name: 'in time makes an order PAID that has timed out',
    ...{ status: 'TIME-OUT', collected: 400n, paidInTime: 400n, units: 600n, time: EXPIRY },
    after: ['PAID', 1_000n, 'payment', ['PAID']],
  },
  {
    name: 'does not count late money as if it had come in time',
    ...{ status: 'TIME-OUT', collected: 900n, paidInTime: 400n, units: 599n, time: inTime },
    after: ['TIME-OUT', 1_499n, 'payment', []],
  },
];

describe('assignReceipt', () => {
  it.each(cases)('$name', ({ status, collected, paidInTime, units, time, after }) => {
    const assigned = assignReceipt(
      receipt(units, time),
      order(status, collected),
      amountOf(USDT, paidInTime),
    );
    const [expectedStatus, sum, disposition, events] = after;
    expect(assigned).toMatchObject({
      outcome: 'assigned',
      order: { status: expectedStatus, collected: amountOf(USDT, sum), lastTxId: '0xaa' },
      disposition,
    });
    expect(assigned.outcome === 'assigned' && assigned.events.map((event) => event.status)).toEqual(events);
  });

  // hits mark: assigned-in-its-own-currency
  it.each([
    ['other-app', order('TO-BE-PAID', 0n), receipt(1n, inTime, 'app_2')],
    ['other-app', order('TO-BE-PAID', 0n), receipt(1n, inTime, null)],
    ['other-currency', order('TO-BE-PAID', 0n), receipt(1n, inTime, 'app_1', 1002)],
    ['still-open', order('TO-BE-PAID', 0n), receipt(1n, late)],
  ])('refuses: %s', (outcome, before, received) => {
    expect(assignReceipt(received, before, amountOf(USDT, 0n))).toEqual({ outcome });
  });
});
