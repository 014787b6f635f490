// Tests of what a payer is shown: every state, by what came, when, and whether it is final.
import { describe, expect, it } from 'vitest';
import { eth } from '../chain/definitions/eth.ts';
import { amountOf, zero } from '../money/amount.ts';
import type { Order, OrderStatus } from './order.ts';
import { type OrderTransfer, progressOf } from './payment-progress.ts';

const USDT = 1001;
const END = 1_700_001_800;
const HEAD = 100;
const currency = eth.currencies.find(({ currencyId }) => currencyId === USDT)!;

function order(status: OrderStatus = 'TO-BE-PAID', collected = 0n): Order {
  return {
    tradeNo: 'ord_1',
    appId: 'app_1',
    currencyId: USDT,
    due: amountOf(USDT, 100n),
    collected: amountOf(USDT, collected),
    lastTxId: '',
    tolerancePpm: 0n,
    status,
    createTime: END - 1_800,
    timeExpire: END,
  };
}

function transfer(
  units: bigint,
  change: { state?: OrderTransfer['state']; block?: number; time?: number; id?: number } = {},
): OrderTransfer {
  const { state = 'seen', block = HEAD, time = END - 60, id = USDT } = change;
  return {
    chain: 'ETH',
    txId: `0x${units}`,
    position: 'log:0',
    from: '0xpayer',
    to: '0xshop',
    amount: amountOf(id, units),
    block: { number: block, hash: '0xb', parentHash: '0xa', time },
    state,
  } as OrderTransfer;
}

const shown = (of: Order, transfers: readonly OrderTransfer[], now = END - 30) =>
  progressOf({ order: of, transfers, currency, chain: eth, head: HEAD, now });

describe('what a payer is shown', () => {
  it.each([
    ['nothing came', order(), [], END - 1, 'waiting'],
    ['nothing came, and the last second runs', order(), [], END, 'waiting'],
    ['nothing came in time', order(), [], END + 1, 'expired'],
    ['enough was seen', order(), [transfer(100n)], END - 1, 'seen'],
    ['two parts are enough', order('TO-BE-PAID', 40n), [transfer(60n)], END - 1, 'seen'],
    ['enough was seen in time, and the time is over', order(), [transfer(100n)], END + 1, 'seen'],
    ['a part was seen', order(), [transfer(40n)], END - 1, 'part'],
    ['a part was seen, and the time is over', order(), [transfer(40n)], END + 1, 'short'],
    ['a part is final, and the order has ended', order('TIME-OUT', 40n), [], END + 99, 'short'],
    ['it came late', order(), [transfer(100n, { time: END + 5 })], END + 9, 'late'],
    [
      'it came late to an order that has ended',
      order('TIME-OUT', 100n),
      [transfer(100n, { state: 'final', time: END + 5 })],
      END + 99,
      'late',
    ],
    ['a reorg took it', order(), [transfer(100n, { state: 'orphaned' })], END - 1, 'reorg'],
    [
      'a reorg took it, and it is back',
      order(),
      [transfer(100n), transfer(100n, { state: 'orphaned' })],
      END - 1,
      'seen',
    ],
    [
      'a reorg took it long ago',
      order(),
      [transfer(100n, { state: 'orphaned', block: HEAD - 12 })],
      END - 1,
      'waiting',
    ],
    [
      'a reorg took it, and so few blocks later it may come back',
      order(),
      [transfer(100n, { state: 'orphaned', block: HEAD - 11 })],
      END - 1,
      'reorg',
    ],
    [
      'a reorg took it from an order that has ended',
      order('TIME-OUT'),
      [transfer(100n, { state: 'orphaned' })],
      END - 1,
      'expired',
    ],
    ['enough was seen, and the order has ended', order('TIME-OUT'), [transfer(100n)], END + 1, 'short'],
    [
      'a reorg took what came late',
      order(),
      [transfer(9n, { state: 'orphaned', time: END + 5 })],
      END + 9,
      'reorg',
    ],
    ['it is another coin', order(), [transfer(100n, { id: 1002 })], END - 1, 'waiting'],
    ['as much as there may be of it', order(), [transfer(10n ** 22n)], END - 1, 'seen'],
    ['a unit more than there may be of it', order(), [transfer(10n ** 22n + 1n)], END - 1, 'waiting'],
    ['it was made before the order', order(), [transfer(100n, { time: END - 9_000 })], END - 1, 'waiting'],
    ['it is paid', order('PAID', 100n), [transfer(100n, { state: 'final' })], END + 99, 'paid'],
  ] as const)('%s', (_, of, transfers, now, state) => {
    expect(shown(of, transfers, now).state).toBe(state);
  });

  it('adds what was seen to what is final, and says what is missing or too much', () => {
    const none = zero(USDT);
    const part = shown(order('TO-BE-PAID', 30n), [transfer(20n)]);
    expect(part).toMatchObject({ got: amountOf(USDT, 50n), missing: amountOf(USDT, 50n), extra: none });
    const over = shown(order('PAID', 110n), []);
    expect(over).toMatchObject({ missing: none, extra: amountOf(USDT, 10n), confirmations: null });
    const exact = shown(order('TO-BE-PAID', 30n), [transfer(70n), transfer(5n, { state: 'final' })]);
    expect(exact).toMatchObject({ got: amountOf(USDT, 100n), missing: none, extra: none });
  });

  it('counts the confirmations of the newest transfer that is not final, up to what is needed', () => {
    const some = [transfer(50n, { block: HEAD - 50 }), transfer(50n, { block: HEAD - 4 })];
    expect(shown(order(), some).confirmations).toBe(5);
    expect(shown(order(), some.toReversed()).confirmations).toBe(5);
    expect(shown(order(), [transfer(100n, { block: HEAD - 50 })]).confirmations).toBe(eth.confirmations);
    const input = { order: order(), transfers: some, currency, chain: eth, head: null, now: END };
    expect(progressOf(input)).toMatchObject({ confirmations: 0 });
  });
});
