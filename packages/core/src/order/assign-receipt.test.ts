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

const inTime = 1_500;
const late = EXPIRY + 1;

type Before = readonly [status: OrderStatus, collected: bigint, paidInTime: bigint];
type After = readonly [
  status: OrderStatus,
  collected: bigint,
  disposition: string,
  events: readonly string[],
];

// Name, order before, units and time of the receipt, order after.
const cases: readonly (readonly [string, Before, bigint, number, After])[] = [
  [
    'in time pays an open order',
    ['TO-BE-PAID', 400n, 400n],
    600n,
    inTime,
    ['PAID', 1_000n, 'payment', ['PAID']],
  ],
  [
    'in time leaves an open order short',
    ['TO-BE-PAID', 0n, 0n],
    600n,
    inTime,
    ['TO-BE-PAID', 600n, 'payment', ['TO-BE-PAID']],
  ],
  ['is extra for a paid order', ['PAID', 1_000n, 1_000n], 5n, late, ['PAID', 1_005n, 'extra', []]],
  ['after the expiry is late', ['TIME-OUT', 0n, 0n], 1_000n, late, ['TIME-OUT', 1_000n, 'late', []]],
  [
    'in time makes an order PAID that has timed out',
    ['TIME-OUT', 400n, 400n],
    600n,
    EXPIRY,
    ['PAID', 1_000n, 'payment', ['PAID']],
  ],
  [
    'does not count late money as if it had come in time',
    ['TIME-OUT', 900n, 400n],
    599n,
    inTime,
    ['TIME-OUT', 1_499n, 'payment', []],
  ],
];

const sums = (paidInTime: bigint, sentBack = 0n) => ({
  paidInTime: amountOf(USDT, paidInTime),
  sentBack: amountOf(USDT, sentBack),
});

describe('assignReceipt', () => {
  // hits mark: assigned-by-what-stays
  it.each([
    [199n, 'PAID', [amountOf(USDT, 1_000n)]],
    [200n, 'TIME-OUT', []],
  ])('counts what stays where %d went back since the time-out', (sentBack, status, named) => {
    const before = order('TIME-OUT', 599n);
    const assigned = assignReceipt(receipt(600n, inTime), before, sums(400n, sentBack));
    expect(assigned).toMatchObject({ order: { status, collected: amountOf(USDT, 1_199n) } });
    expect(assigned.outcome === 'assigned' && assigned.events.map((event) => event.collected)).toEqual(named);
  });

  it.each(cases)('%s', (_, [status, collected, paidInTime], units, time, after) => {
    const assigned = assignReceipt(receipt(units, time), order(status, collected), sums(paidInTime));
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
    expect(assignReceipt(received, before, sums(0n))).toEqual({ outcome });
  });
});
