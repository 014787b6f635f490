// What a final payment does to an order, case by case, with the outcome in the last columns.
import { describe, expect, it } from 'vitest';
import { Bug } from '../assert.ts';
import type { Transfer } from '../chain/transfer.ts';
import { amountOf } from '../money/amount.ts';
import type { Order, OrderStatus } from './order.ts';
import { countsFor, expireOrder, isPaidInFull, settlePayment } from './transition.ts';

const USDT = 1001;
const EXPIRY = 2_000;

function order(change: Partial<Order> = {}): Order {
  return {
    tradeNo: 'ord_1',
    appId: 'app_1',
    currencyId: USDT,
    due: amountOf(USDT, 1_000n),
    collected: amountOf(USDT, 0n),
    lastTxId: '',
    tolerancePpm: 0n,
    status: 'TO-BE-PAID',
    createTime: 1_000,
    timeExpire: EXPIRY,
    ...change,
  };
}

function transfer(units: bigint, time: number, currencyId = USDT): Transfer {
  return {
    chain: 'ETH',
    txId: '0xaa',
    position: 'log:0',
    from: '0xpayer',
    to: '0xorder',
    amount: amountOf(currencyId, units),
    block: { number: 1, hash: '0xb1', time },
  };
}

interface Case {
  readonly name: string;
  readonly collected?: bigint;
  readonly status?: OrderStatus;
  readonly units: bigint;
  readonly time: number;
  readonly after: OrderStatus;
  readonly sum: bigint;
  readonly disposition: string;
  readonly events: readonly string[];
}

const cases: readonly Case[] = [
  {
    name: 'the exact amount pays',
    units: 1_000n,
    time: 1_500,
    after: 'PAID',
    sum: 1_000n,
    disposition: 'payment',
    events: ['PAID'],
  },
  {
    name: 'less leaves it to be paid and says so',
    units: 999n,
    time: 1_500,
    after: 'TO-BE-PAID',
    sum: 999n,
    disposition: 'payment',
    events: ['TO-BE-PAID'],
  },
  {
    name: 'the missing rest pays',
    collected: 999n,
    units: 1n,
    time: 1_500,
    after: 'PAID',
    sum: 1_000n,
    disposition: 'payment',
    events: ['PAID'],
  },
  {
    name: 'more pays and is all counted',
    units: 1_500n,
    time: 1_500,
    after: 'PAID',
    sum: 1_500n,
    disposition: 'payment',
    events: ['PAID'],
  },
  {
    name: 'the very second of expiry is in time',
    units: 1_000n,
    time: EXPIRY,
    after: 'PAID',
    sum: 1_000n,
    disposition: 'payment',
    events: ['PAID'],
  },
  {
    name: 'one second later times the order out first',
    units: 1_000n,
    time: EXPIRY + 1,
    after: 'TIME-OUT',
    sum: 1_000n,
    disposition: 'late',
    events: ['TIME-OUT'],
  },
  {
    name: 'late money of a timed-out order is counted in silence',
    status: 'TIME-OUT',
    units: 5n,
    time: EXPIRY + 9,
    after: 'TIME-OUT',
    sum: 5n,
    disposition: 'late',
    events: [],
  },
  {
    name: 'extra money of a paid order is counted in silence',
    status: 'PAID',
    collected: 1_000n,
    units: 5n,
    time: 1_600,
    after: 'PAID',
    sum: 1_005n,
    disposition: 'extra',
    events: [],
  },
];

describe('settlePayment', () => {
  it.each(cases)('$name', ({ collected = 0n, status = 'TO-BE-PAID', units, time, ...expected }) => {
    const before = order({ collected: amountOf(USDT, collected), status });
    const settled = settlePayment([transfer(units, time)], before);
    expect(settled.order.status).toBe(expected.after);
    expect(settled.order.collected).toEqual(amountOf(USDT, expected.sum));
    expect(settled.disposition).toBe(expected.disposition);
    expect(settled.events.map((event) => event.status)).toEqual(expected.events);
    expect(settled.order.lastTxId).toBe('0xaa');
    // A time-out names what counted before; every other event the transfer that caused it.
    for (const event of settled.events.filter((one) => one.status !== 'TIME-OUT')) {
      const sum = { collected: amountOf(USDT, expected.sum), txId: '0xaa', time };
      expect(event).toEqual({ type: 'PAYMENT', tradeNo: 'ord_1', status: expected.after, ...sum });
    }
  });

  // hits mark: late-transfer-times-out-first
  it('announces a TIME-OUT with what was collected in time, before the late money', () => {
    const before = order({ collected: amountOf(USDT, 400n), lastTxId: '0xearlier' });
    const { events } = settlePayment([transfer(600n, EXPIRY + 1)], before);
    expect(events).toEqual([
      {
        type: 'PAYMENT',
        tradeNo: 'ord_1',
        status: 'TIME-OUT',
        collected: amountOf(USDT, 400n),
        txId: '0xearlier',
        time: EXPIRY,
      },
    ]);
  });

  it('takes the parts of one transaction together and of nothing else', () => {
    const parts = [transfer(400n, 1_500), transfer(700n, 1_500)];
    expect(settlePayment(parts, order()).events.map(({ status, collected }) => [status, collected])).toEqual([
      ['PAID', amountOf(USDT, 1_100n)],
    ]);
    expect(() =>
      settlePayment([transfer(1n, 1_500), { ...transfer(1n, 1_500), txId: '0xbb' }], order()),
    ).toThrow(Bug);
    expect(() => settlePayment([], order())).toThrow(Bug);
  });
});

describe('countsFor', () => {
  // hits mark: other-currency-never-counts
  it.each([
    ['the own currency in time', transfer(1n, 1_500), true],
    ['a block that is a little older', transfer(1n, 1_000 - 600), true],
    ['another currency', transfer(1n, 1_500, 1002), false],
    ['a block older than the order', transfer(1n, 1_000 - 601), false],
  ])('%s', (_, received, expected) => {
    expect(countsFor(order(), received)).toBe(expected);
  });

  it.each([0n, -1n])('a transfer never moves %s units', (units) => {
    expect(() => countsFor(order(), transfer(units, 1_500))).toThrow(Bug);
  });
});

describe('isPaidInFull', () => {
  it.each([
    [1_000n, 0n, 999n, false],
    [1_000n, 10_000n, 990n, true],
    [1_000n, 10_000n, 989n, false],
    [99n, 10_000n, 98n, false],
  ])('of %s with tolerance %s and %s collected is %s', (due, tolerancePpm, collected, expected) => {
    expect(
      isPaidInFull({ due: amountOf(USDT, due), collected: amountOf(USDT, collected), tolerancePpm }),
    ).toBe(expected);
  });
});

describe('expireOrder', () => {
  it('never happens to an order that has ended', () => {
    for (const status of ['PAID', 'TIME-OUT'] as const)
      expect(() => expireOrder(order({ status }))).toThrow(Bug);
    expect(expireOrder(order()).order).toEqual(order({ status: 'TIME-OUT' }));
  });
});
