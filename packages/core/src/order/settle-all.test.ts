// However transfers come in, the books balance and an order ends at most once, paid exactly when enough came in time.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Bug } from '../assert.ts';
import { eth } from '../chain/definitions/eth.ts';
import type { Transfer } from '../chain/transfer.ts';
import type { Entry } from '../ledger/entry.ts';
import { amountOf, unitsOf } from '../money/amount.ts';
import { isFinalEvent, type PaymentEvent } from '../webhook/event.ts';
import type { Order } from './order.ts';
import { type DueTransfer, settleAll } from './settle-all.ts';
import { CLOCK_TOLERANCE_S, expireOrder } from './transition.ts';

const USDT = 1001;
const CREATED = 1_000;
const EXPIRY = 2_000;
const tradeNos = ['ord_1', 'ord_2', 'ord_3'];
const deposit = { address: '0xorder', purpose: 'order', appId: 'app_1' } as const;
const rules = { currencies: eth.currencies, searchedTime: null };

interface Payment {
  readonly tradeNo: string | null;
  readonly currencyId: number;
  readonly units: bigint;
  /** Unix seconds of its block. */
  readonly time: number;
  /** Whether the transfers after it are settled by another, later block. */
  readonly cut: boolean;
}

const payment: fc.Arbitrary<Payment> = fc.record({
  tradeNo: fc.option(fc.constantFrom(...tradeNos), { freq: 8 }),
  currencyId: fc.constantFrom(USDT, USDT, USDT, 1002),
  units: fc.bigInt({ min: 1n, max: 700n }),
  time: fc.integer({ min: CREATED - 800, max: EXPIRY + 400 }),
  cut: fc.boolean(),
});
const payments = fc.array(payment, { maxLength: 14 });
const setting: fc.Arbitrary<Setting> = fc.record({
  due: fc.bigInt({ min: 1n, max: 1_500n }),
  tolerancePpm: fc.constantFrom(0n, 0n, 10_000n),
  feePpm: fc.constantFrom(0n, 300n, 1_000_000n),
});

interface Setting {
  readonly due: bigint;
  readonly tolerancePpm: bigint;
  readonly feePpm: bigint;
}

function ordersOf({ due, tolerancePpm }: Setting): Map<string, Order> {
  return new Map(
    tradeNos.map((tradeNo) => [
      tradeNo,
      {
        tradeNo,
        appId: 'app_1',
        currencyId: USDT,
        due: amountOf(USDT, due),
        collected: amountOf(USDT, 0n),
        lastTxId: '',
        tolerancePpm,
        status: 'TO-BE-PAID',
        createTime: CREATED,
        timeExpire: EXPIRY,
      },
    ]),
  );
}

function transferOf({ currencyId, units, time }: Payment, index: number): Transfer {
  const block = { number: time, hash: `0x${time}`, time };
  const amount = amountOf(currencyId, units);
  return {
    chain: 'ETH',
    txId: `0x${index}`,
    position: 'log:0',
    from: '0xpayer',
    to: '0xorder',
    amount,
    block,
  };
}

interface Outcome {
  readonly orders: ReadonlyMap<string, Order>;
  readonly entries: readonly Entry[];
  readonly events: readonly PaymentEvent[];
  readonly dispositions: readonly string[];
}

/** Settles in the order given, batch by batch; between batches orders time out once the chain has passed them. */
function settleInBatches(all: readonly Payment[], terms: Setting): Outcome {
  const orders = ordersOf(terms);
  const entries: Entry[] = [];
  const events: PaymentEvent[] = [];
  const dispositions: string[] = [];
  let batch: DueTransfer[] = [];
  const settle = () => {
    const settled = settleAll(batch, orders, rules);
    batch = [];
    for (const order of settled.orders) orders.set(order.tradeNo, order);
    entries.push(...settled.entries);
    events.push(...settled.events);
    dispositions.push(...settled.dispositions.map(({ disposition }) => disposition));
  };
  for (const [index, each] of all.entries()) {
    batch.push({
      transfer: transferOf(each, index),
      from: null,
      to: deposit,
      feePpm: terms.feePpm,
      tradeNo: each.tradeNo,
      promised: null,
    });
    if (!each.cut) continue;
    settle();
    if (each.time > EXPIRY) expireAll(orders, events);
  }
  settle();
  return { orders, entries, events, dispositions };
}

function expireAll(orders: Map<string, Order>, events: PaymentEvent[]): void {
  for (const order of orders.values()) {
    if (order.status !== 'TO-BE-PAID') continue;
    const expired = expireOrder(order);
    orders.set(order.tradeNo, expired.order);
    events.push(...expired.events);
  }
}

function byTime(all: readonly Payment[]): readonly Payment[] {
  return [...all].sort((a, b) => a.time - b.time);
}

/** A naive model of what counts for an order: its own currency, and a block that is not older than the order. */
function counts(each: Payment, tradeNo: string): boolean {
  return each.tradeNo === tradeNo && each.currencyId === USDT && each.time >= CREATED - CLOCK_TOLERANCE_S;
}

function sum(all: readonly Payment[]): bigint {
  return all.reduce((total, { units }) => total + units, 0n);
}

describe('settleAll, for any transfers in any batches', () => {
  it('collects exactly what counts for each order', () => {
    fc.assert(
      fc.property(payments, setting, (all, terms) => {
        const { orders } = settleInBatches(byTime(all), terms);
        for (const [tradeNo, { collected }] of orders) {
          expect(unitsOf(collected)).toBe(sum(all.filter((each) => counts(each, tradeNo))));
        }
      }),
    );
  });

  it('makes an order PAID exactly when enough came in time', () => {
    fc.assert(
      fc.property(payments, setting, (all, terms) => {
        const { orders } = settleInBatches(byTime(all), terms);
        const needed = terms.due - (terms.due * terms.tolerancePpm) / 1_000_000n;
        for (const [tradeNo, { status }] of orders) {
          const inTime = all.filter((each) => counts(each, tradeNo) && each.time <= EXPIRY);
          expect(status === 'PAID').toBe(sum(inTime) >= needed);
        }
      }),
    );
  });

  it('reports at most one end of an order, and nothing after it', () => {
    fc.assert(
      fc.property(payments, setting, (all, terms) => {
        const { orders, events } = settleInBatches(byTime(all), terms);
        for (const [tradeNo, { status }] of orders) {
          const own = events.filter((event) => event.tradeNo === tradeNo);
          const ends = own.filter(isFinalEvent);
          expect(ends.length).toBe(status === 'TO-BE-PAID' ? 0 : 1);
          if (ends[0] !== undefined) expect([own.at(-1), ends[0].status]).toEqual([ends[0], status]);
        }
      }),
    );
  });

  it('books every transfer once, in entries that balance and hold all of the money', () => {
    fc.assert(
      fc.property(payments, setting, (all, terms) => {
        const { entries } = settleInBatches(byTime(all), terms);
        expect(new Set(entries.map(({ fact, reference }) => `${fact} ${reference}`)).size).toBe(all.length);
        const held = new Map<number, bigint>();
        for (const { postings } of entries) {
          expect(postings.reduce((total, { amount }) => total + unitsOf(amount), 0n)).toBe(0n);
          for (const { account, amount } of postings) {
            if (account.kind !== 'custody') continue;
            held.set(amount.currencyId, (held.get(amount.currencyId) ?? 0n) - unitsOf(amount));
          }
        }
        for (const currencyId of [USDT, 1002]) {
          expect(held.get(currencyId) ?? 0n).toBe(sum(all.filter((each) => each.currencyId === currencyId)));
        }
      }),
    );
  });

  it('gives the same orders and entries however it is cut into batches', () => {
    fc.assert(
      fc.property(payments, setting, (all, terms) => {
        const inTime = byTime(all).filter(({ time }) => time <= EXPIRY);
        const one = settleInBatches(
          inTime.map((each) => ({ ...each, cut: false })),
          terms,
        );
        expect(settleInBatches(inTime, terms)).toEqual(one);
      }),
    );
  });

  it('gives the same end whatever the order of transfers that are in time', () => {
    fc.assert(
      fc.property(payments, setting, fc.infiniteStream(fc.nat()), (all, terms, chance) => {
        const inTime = all.filter(({ time }) => time <= EXPIRY);
        const shuffled = inTime
          .map((each) => ({ each, at: chance.next().value }))
          .sort((a, b) => a.at - b.at)
          .map(({ each }) => each);
        // Which transfer came last is the one thing that the order decides.
        const endOf = (each: readonly Payment[]) =>
          [...settleInBatches(each, terms).orders.values()].map((order) => ({ ...order, lastTxId: '' }));
        expect(endOf(shuffled)).toEqual(endOf(inTime));
      }),
    );
  });
});

describe('settleAll', () => {
  it('stops at a transfer whose order was not handed in', () => {
    const due = {
      transfer: transferOf({ tradeNo: 'ord_9', currencyId: USDT, units: 1n, time: 1_500, cut: false }, 0),
      from: null,
      to: deposit,
      feePpm: 0n,
      tradeNo: 'ord_9',
      promised: null,
    };
    expect(() => settleAll([due], new Map(), rules)).toThrow(Bug);
  });

  it('settles several transfers to one order within one call, each on top of the one before', () => {
    const terms = { due: 1_000n, tolerancePpm: 0n, feePpm: 0n };
    const part = { tradeNo: 'ord_1', currencyId: USDT, units: 500n, time: 1_500, cut: false };
    const { events, dispositions } = settleInBatches([part, part, part], terms);
    expect(events.map(({ status, collected }) => [status, unitsOf(collected)])).toEqual([
      ['TO-BE-PAID', 500n],
      ['PAID', 1_000n],
    ]);
    expect(dispositions).toEqual(['payment', 'payment', 'extra']);
  });
});
