// The naive model by itself: cases from the decisions, with what must come of them.
import { describe, expect, it } from 'vitest';
import { decimalText, type Evidence, type KnownOrder, type SeenTransfer, verdictOf } from './auditor.ts';

const order: KnownOrder = {
  tradeNo: 'ord_1',
  appId: 'app_1',
  outTradeNo: 'a',
  address: '0xa',
  chain: 'ETH',
  chainId: 1,
  currencyId: 1001,
  decimals: 6,
  answeredDue: 1_000_000n,
  fiatName: '',
  fiatAmount: '',
  redirectUrl: '',
  due: 1_000_000n,
  tolerancePpm: 0n,
  createTime: 1_000,
  timeExpire: 2_000,
  answeredAtStep: 10,
};

function transfer(units: bigint, blockTime: number, change: Partial<SeenTransfer> = {}): SeenTransfer {
  return {
    chain: 'ETH',
    family: 'evm',
    txId: `0x${units}`,
    position: 'log:0',
    to: '0xa',
    currencyId: 1001,
    units,
    blockTime,
    minedAtStep: 20,
    ...change,
  };
}

function verdictFor(transfers: readonly SeenTransfer[], change: Partial<Evidence> = {}) {
  const verdict = verdictOf({
    transfers,
    orders: [order],
    owners: new Map([['evm 0xa', 'app_1']]),
    feesPpm: new Map([['app_1', 300n]]),
    finalTimes: new Map([['ETH', 3_000]]),
    countedEarly: new Set(),
    creditedAt: new Map(),
    balanceReceipts: [],
    dust: new Map(),
    ...change,
  });
  const expected = verdict.orders.get('ord_1');
  return {
    status: expected?.status,
    collected: expected?.collected,
    bodies: expected?.bodies.map((body) => [body['status'], body['amount_collected'], body['txid']]),
    credits: [...verdict.credits.values()].map(({ fact, net, fee }) => [fact, net, fee]),
  };
}

describe('verdictOf', () => {
  it('pays in parts, and reports each part', () => {
    expect(verdictFor([transfer(400_000n, 1_100), transfer(600_000n, 2_000)])).toEqual({
      status: 'PAID',
      collected: 1_000_000n,
      bodies: [
        ['TO-BE-PAID', '0.4', '0x400000'],
        ['PAID', '1', '0x600000'],
      ],
      credits: [
        ['deposit', 399_880n, 120n],
        ['deposit', 599_820n, 180n],
      ],
    });
  });

  it('times out before late money, which is counted in silence', () => {
    expect(verdictFor([transfer(400_000n, 1_100), transfer(600_000n, 2_001)])).toMatchObject({
      status: 'TIME-OUT',
      collected: 1_000_000n,
      bodies: [
        ['TO-BE-PAID', '0.4', '0x400000'],
        ['TIME-OUT', '0.4', '0x400000'],
      ],
    });
  });

  it('leaves an order open while its chain is not final beyond the expiry', () => {
    expect(verdictFor([], { finalTimes: new Map([['ETH', 2_000]]) })).toMatchObject({
      status: 'TO-BE-PAID',
      bodies: [],
    });
  });

  it.each([
    ['in another currency', { currencyId: 1002 }],
    ['on another chain', { chain: 'BSC' }],
    ['mined before the order stood', { minedAtStep: 5 }],
    ['from long before the order', { blockTime: 300 }],
  ])('keeps money %s apart, without a fee', (_, change) => {
    expect(verdictFor([transfer(1_000_000n, 1_100, change)])).toMatchObject({
      status: 'TIME-OUT',
      collected: 0n,
      credits: [['unassigned-receipt', 1_000_000n, 0n]],
    });
  });

  it('takes no note of what goes to others', () => {
    expect(verdictFor([transfer(5n, 1_100, { to: '0xb' })])).toMatchObject({ collected: 0n, credits: [] });
  });
});

describe('decimalText', () => {
  it.each([
    [1n, 18, '0.000000000000000001'],
    [1_500_000n, 6, '1.5'],
    [2_000_000n, 6, '2'],
    [0n, 6, '0'],
  ])('writes %s with %s decimals as %s', (units, decimals, text) => {
    expect(decimalText(units, decimals)).toBe(text);
  });
});
