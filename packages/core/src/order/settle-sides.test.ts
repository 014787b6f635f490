// Whose the sides of a transfer are, what belongs together, what is not believed and what has to wait.
import { describe, expect, it } from 'vitest';
import { Bug } from '../assert.ts';
import { eth } from '../chain/definitions/eth.ts';
import type { Transfer } from '../chain/transfer.ts';
import type { OwnAddress } from '../ledger/account.ts';
import { amountOf, unitsOf } from '../money/amount.ts';
import type { Order } from './order.ts';
import { type DueTransfer, type SettledTransfers, settleAll } from './settle-all.ts';

const USDT = 1001;
const ETH = 1000;
const EXPIRY = 2_000;
const deposit: OwnAddress = { address: '0xorder', purpose: 'order', appId: 'app_1' };
const code: OwnAddress = { address: '0xcode', purpose: 'static', appId: 'app_1' };
const wallet: OwnAddress = { address: '0xwallet', purpose: 'wallet', appId: null };

function order(tradeNo: string, change: Partial<Order> = {}): Order {
  const currencyId = change.currencyId ?? USDT;
  return {
    tradeNo,
    appId: 'app_1',
    currencyId,
    due: amountOf(currencyId, 1_000n),
    collected: amountOf(currencyId, 0n),
    lastTxId: '',
    tolerancePpm: 0n,
    status: 'TO-BE-PAID',
    createTime: 1_000,
    timeExpire: EXPIRY,
    ...change,
  };
}

let place = 0;
function due(
  units: bigint,
  change: Partial<DueTransfer> & {
    readonly txId?: string;
    readonly time?: number;
    readonly currencyId?: number;
  } = {},
): DueTransfer {
  const { txId = '0xaa', time = 1_500, currencyId = USDT, ...rest } = change;
  const transfer: Transfer = {
    chain: 'ETH',
    txId,
    position: `log:${++place}`,
    from: '0xpayer',
    to: '0xorder',
    amount: amountOf(currencyId, units),
    block: { number: time, hash: `0x${time}`, time },
  };
  return { transfer, from: null, to: deposit, feePpm: 0n, tradeNo: 'ord_1', promised: null, ...rest };
}

function settle(
  all: readonly DueTransfer[],
  orders: readonly Order[] = [order('ord_1')],
  searchedTime: number | null = null,
) {
  const byTradeNo = new Map(orders.map((one) => [one.tradeNo, one]));
  return settleAll(all, byTradeNo, { currencies: eth.currencies, searchedTime });
}

const announced = ({ events }: SettledTransfers) =>
  events.map(({ tradeNo, status, collected }) => [tradeNo, status, unitsOf(collected)]);
const kinds = ({ dispositions }: SettledTransfers) => dispositions.map(({ disposition }) => disposition);
const facts = ({ entries }: SettledTransfers) => entries.map(({ fact }) => fact);

describe('parts of one transaction', () => {
  it.each([
    ['pay together', [600n, 400n], [['ord_1', 'PAID', 1_000n]]],
    ['count together where the first would do', [1_000n, 500n], [['ord_1', 'PAID', 1_500n]]],
    ['are one event where they do not pay', [300n, 400n], [['ord_1', 'TO-BE-PAID', 700n]]],
  ])('%s', (_, units, expected) => {
    const settled = settle(units.map((each) => due(each)));
    expect(announced(settled)).toEqual(expected);
    expect(kinds(settled)).toEqual(units.map(() => 'payment'));
    expect(facts(settled)).toEqual(units.map(() => 'deposit'));
  });

  it('belong to the order that each of them pays, whatever stands between them', () => {
    const parts = [due(500n), due(1_000n, { tradeNo: 'ord_2' }), due(500n)];
    expect(announced(settle(parts, [order('ord_1'), order('ord_2')]))).toEqual([
      ['ord_1', 'PAID', 1_000n],
      ['ord_2', 'PAID', 1_000n],
    ]);
  });

  it('leave out what the order does not count', () => {
    const settled = settle([due(600n), due(9n, { currencyId: 1002 }), due(400n)]);
    expect(announced(settled)).toEqual([['ord_1', 'PAID', 1_000n]]);
    expect(settled.unassigned.map(({ transfer }) => unitsOf(transfer.amount))).toEqual([9n]);
  });

  it('stay apart where the transactions differ', () => {
    expect(announced(settle([due(600n), due(400n, { txId: '0xbb' })]))).toEqual([
      ['ord_1', 'TO-BE-PAID', 600n],
      ['ord_1', 'PAID', 1_000n],
    ]);
  });

  it('never pay the order of another app', () => {
    expect(() => settle([due(1n, { to: { ...deposit, appId: 'app_2' } })])).toThrow(Bug);
  });
});

describe('sides of a transfer', () => {
  it.each([
    ['a stranger to a static address', null, code, 'unassigned', ['unassigned-receipt']],
    ['a stranger to a wallet', null, wallet, 'unassigned', ['unassigned-receipt']],
    ['a deposit address to a stranger', deposit, null, 'outgoing', ['outflow']],
    ['a wallet to a stranger', wallet, null, 'outgoing', ['outflow']],
    ['a deposit address to a wallet', deposit, wallet, 'own', ['move']],
    ['a wallet to the address of an open order', wallet, deposit, 'own', ['move']],
    ['a deposit address to another', deposit, code, 'own', []],
  ])('from %s', (_, from, to, disposition, entries) => {
    const settled = settle([due(5n, { from, to, tradeNo: to === deposit ? 'ord_1' : null })]);
    expect(kinds(settled)).toEqual([disposition]);
    expect(facts(settled)).toEqual(entries);
    expect(settled.outflows).toHaveLength(disposition === 'outgoing' ? 1 : 0);
    expect(settled.unassigned.map(({ appId }) => appId)).toEqual(
      disposition === 'unassigned' ? [to?.appId] : [],
    );
    expect(settled.events).toEqual([]);
    expect(settled.orders).toEqual([]);
  });
});

describe('what was promised', () => {
  const promised = { from: '0xpayer', to: '0xorder', amount: amountOf(USDT, 5n) };
  const sent = (units: bigint, change: Parameters<typeof due>[1] = {}) =>
    due(units, { from: wallet, to: null, tradeNo: null, promised, ...change });

  it.each<readonly [string, readonly DueTransfer[], readonly string[], number]>([
    ['is sent', [sent(5n)], ['sent'], 0],
    ['is sent once by one transaction', [sent(5n), sent(5n)], ['sent', 'outgoing'], 1],
    ['is sent by each transaction', [sent(5n), sent(5n, { txId: '0xbb' })], ['sent', 'sent'], 0],
    ['is sent, whatever left before it', [sent(4n), sent(5n)], ['outgoing', 'sent'], 1],
    ['is no other amount', [sent(4n)], ['outgoing'], 1],
    ['is nothing that was never promised', [sent(5n, { promised: null })], ['outgoing'], 1],
    ['is booked as a move where it came to us', [sent(5n, { to: deposit })], ['own'], 0],
  ])('%s', (_, all, expected, outflows) => {
    const settled = settle(all);
    const booked: Readonly<Record<string, string>> = { sent: 'sent', outgoing: 'outflow', own: 'move' };
    expect(kinds(settled)).toEqual(expected);
    expect(facts(settled)).toEqual(expected.map((kind) => booked[kind]));
    expect(settled.outflows).toHaveLength(outflows);
  });
});

describe('what comes back from cold storage', () => {
  const back = (to: OwnAddress | null) => due(5n, { to, tradeNo: null, isColdReturn: true });

  it('is no payment and nobody’s receipt: it moves', () => {
    const settled = settle([back(wallet)]);
    expect([kinds(settled), facts(settled), settled.unassigned]).toEqual([['own'], ['move'], []]);
    expect(settled.entries[0]?.postings.map(({ account }) => account.kind)).toEqual(['cold', 'custody']);
  });

  it.each([deposit, null])('never comes to %o', (to) => {
    expect(() => settle([back(to)])).toThrow(Bug);
  });
});

describe('transfers that stay apart', () => {
  it('are a payment and what we sent to the same order ourselves', () => {
    const settled = settle([due(600n), due(400n, { from: wallet })]);
    expect(kinds(settled)).toEqual(['payment', 'own']);
    expect(announced(settled)).toEqual([['ord_1', 'TO-BE-PAID', 600n]]);
    expect(kinds(settle([due(5n, { from: wallet, tradeNo: 'ord_9' })]))).toEqual(['own']);
  });

  it('are receipts of one transaction that no order has, each believed by itself', () => {
    const most = 10n ** 22n;
    const settled = settle([most, 1n].map((units) => due(units, { tradeNo: null })));
    expect([kinds(settled), settled.absurd]).toEqual([['unassigned', 'unassigned'], []]);
  });

  it('have no bound where their currency is not the chain’s', () => {
    expect(settle([due(10n ** 40n, { currencyId: 9_999 })])).toMatchObject({ absurd: [] });
  });

  it('have a side of ours', () => {
    expect(() => settle([due(5n, { to: null, tradeNo: null })])).toThrow('a side of ours');
  });
});

describe('an amount that no currency has', () => {
  const most = 10n ** 16n * 10n ** 6n;

  // hits mark: absurd-amounts-pay-nothing
  it.each([
    ['at once', [most + 1n]],
    ['in parts', [most, 1n]],
  ])('is booked and pays nothing, %s', (_, units) => {
    const settled = settle(units.map((each) => due(each)));
    expect(kinds(settled)).toEqual(units.map(() => 'unassigned'));
    expect(settled.absurd).toHaveLength(units.length);
    expect(announced(settled)).toEqual([]);
  });

  it('is reported where it leaves too, and the largest that is believed pays', () => {
    expect(settle([due(most + 1n, { from: deposit, to: null, tradeNo: null })]).absurd).toHaveLength(1);
    const paid = settle([due(most)]);
    expect(announced(paid)).toEqual([['ord_1', 'PAID', most]]);
    expect(paid.absurd).toEqual([]);
  });
});

describe('a late payment in the native currency', () => {
  const native = order('ord_1', { currencyId: ETH });
  const late = () => due(1_000n, { currencyId: ETH, time: EXPIRY + 1 });

  // hits mark: late-payment-waits-for-the-search
  it.each([null, EXPIRY])(
    'waits while an internal transaction in time may still be found (%s)',
    (searchedTime) => {
      expect(settle([late()], [native], searchedTime)).toMatchObject({
        dispositions: [],
        entries: [],
        events: [],
        orders: [],
      });
    },
  );

  it('ends the order once there is none', () => {
    const settled = settle([late()], [native], EXPIRY + 1);
    expect(kinds(settled)).toEqual(['late']);
    expect(announced(settled)).toEqual([['ord_1', 'TIME-OUT', 0n]]);
  });

  it('waits for nothing once the order has ended, and a token never does', () => {
    expect(kinds(settle([late()], [{ ...native, status: 'TIME-OUT' }]))).toEqual(['late']);
    expect(kinds(settle([due(1_000n, { time: EXPIRY + 1 })]))).toEqual(['late']);
  });
});
