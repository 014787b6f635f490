// What order/detail may say and what it may not, for one order by itself.
import { describe, expect, it } from 'vitest';
import type { Evidence, KnownOrder, SeenTransfer } from '../auditor.ts';
import { Findings } from './findings.ts';
import { checkDetails, checkLastDetails, type ReceivedDetail } from './detail.ts';

const order: KnownOrder = {
  tradeNo: 'ord_1',
  appId: 'app_1',
  outTradeNo: 'a',
  address: '0xa',
  chain: 'ETH',
  chainId: 1,
  currencyId: 1001,
  decimals: 6,
  due: 1_000_000n,
  answeredDue: 1_000_000n,
  fiatName: '',
  fiatAmount: '',
  redirectUrl: '',
  tolerancePpm: 0n,
  createTime: 1_000,
  timeExpire: 2_000,
  answeredAtStep: 10,
};

const page = 'http://pay.test/ord_1';
const terms = {
  need_confirms: 12,
  trade_no: 'ord_1',
  chain: 'ETH',
  token: 'USDT',
  contract: '0xc',
  pay_address: '0xa',
  mode: 'NATIVE',
  equity: 0,
  chain_info: { token: 'ETH', decimal: 18 },
};
const half = transferOf('0x1', 500_000n);
const rest = transferOf('0x2', 500_000n);
const evidence: Evidence = {
  transfers: [half, rest],
  orders: [order],
  owners: new Map([['evm 0xa', 'app_1']]),
  feesPpm: new Map(),
  finalTimes: new Map([['ETH', 1_500]]),
  countedEarly: new Set(),
  creditedAt: new Map(),
  balanceReceipts: [],
  dust: new Map(),
};

function transferOf(txId: string, units: bigint): SeenTransfer {
  const place = { chain: 'ETH', family: 'evm', position: 'log:0', to: '0xa', currencyId: 1001 };
  return { ...place, txId, units, blockTime: 1_100, minedAtStep: 20 };
}

function received(status: string, collected: string, change: Partial<ReceivedDetail> = {}): ReceivedDetail {
  const detail = {
    ...terms,
    out_trade_no: 'a',
    fiat_name: '',
    fiat_amount: '',
    redirect_url: '',
    need_confirms: 12,
    already_confirms: collected === '0' ? 0 : 12,
    entrust_url: status === 'TO-BE-PAID' ? page : '',
    status,
    amount_collected: collected,
  };
  // Only these fields are looked at.
  return {
    order: { tradeNo: 'ord_1', answer: { ...terms, entrust_url: page } },
    detail,
    askedAtStep: 30,
    receivedAtStep: 31,
    final: [half],
    finalTime: 1_500,
    mostConfirms: 12,
    ...change,
  } as ReceivedDetail;
}

function receivedWith(status: string, collected: string, change: object): ReceivedDetail {
  const one = received(status, collected);
  return { ...one, detail: { ...one.detail, ...change } };
}

function findingsOf(
  check: typeof checkDetails,
  details: readonly ReceivedDetail[],
  of = evidence,
): readonly string[] {
  const findings = new Findings(() => 0);
  check(details, of, findings);
  return findings.list.map(({ checker }) => checker.slice(0, 2));
}

describe('checkDetails', () => {
  it.each([
    ['what is final', received('TO-BE-PAID', '0.5')],
    ['what was final a moment ago', received('TO-BE-PAID', '0')],
    ['a time-out that the final chain has passed', received('TIME-OUT', '0.5', { finalTime: 2_001 })],
  ])('takes %s', (_, detail) => {
    expect(findingsOf(checkDetails, [detail])).toEqual([]);
  });

  it.each([
    ['what is not final yet', received('PAID', '1')],
    ['a status without its money', received('PAID', '0.5')],
    ['a sum that never was', received('TO-BE-PAID', '0.4')],
    ['a time-out that the final chain has not passed', received('TIME-OUT', '0.5')],
  ])('finds %s', (_, detail) => {
    expect(findingsOf(checkDetails, [detail])).toEqual(['20']);
  });

  it.each([
    { contract: '0xd' },
    { mode: 'ELSE' },
    { equity: 1 },
    { need_confirms: 2 },
    { entrust_url: '' },
    { chain_info: { token: 'ETH', decimal: 6 } },
  ])('finds terms that are not those of the order, such as %j', (change) => {
    expect(findingsOf(checkDetails, [receivedWith('TO-BE-PAID', '0.5', change)])).toEqual(['23']);
  });

  it('finds a page to pay at for an order that has ended', () => {
    const detail = receivedWith('PAID', '1', { entrust_url: page });
    expect(findingsOf(checkDetails, [{ ...detail, final: [half, rest] }])).toEqual(['23']);
  });

  it('takes every count of confirmations that the chain may have had', () => {
    const few = [0, 1, 2].map((confirms) => ({
      ...receivedWith('TO-BE-PAID', '0', { already_confirms: confirms }),
      mostConfirms: 2,
    }));
    expect(findingsOf(checkDetails, few)).toEqual([]);
  });

  it.each([
    ['of a payment that nobody made', '0', 1, 0],
    ['before there are so many', '0', 3, 2],
    ['of none where money is final', '0.5', 0, 12],
  ])('finds confirmations %s', (_, collected, confirms, mostConfirms) => {
    const detail = receivedWith('TO-BE-PAID', collected, { already_confirms: confirms });
    expect(findingsOf(checkDetails, [{ ...detail, mostConfirms }])).toEqual(['20']);
  });

  it('finds an answer that is behind one received before it was asked for', () => {
    const later = received('TO-BE-PAID', '0', { askedAtStep: 40, receivedAtStep: 41 });
    expect(findingsOf(checkDetails, [received('TO-BE-PAID', '0.5'), later])).toEqual(['19']);
  });
});

describe('checkLastDetails', () => {
  it('takes nothing but the end', () => {
    expect(findingsOf(checkLastDetails, [received('TO-BE-PAID', '0.5'), received('PAID', '1')])).toEqual([]);
    expect(findingsOf(checkLastDetails, [received('TO-BE-PAID', '0.5')])).toEqual(['20']);
    expect(findingsOf(checkLastDetails, [])).toEqual(['20']);
    const early = { ...received('PAID', '1').detail, already_confirms: 0 };
    expect(findingsOf(checkLastDetails, [received('PAID', '1', { detail: early })])).toEqual(['20']);
  });

  it('takes no confirmations of a late payment, also where an internal transaction that no trace showed was in time', () => {
    const internal = { ...half, position: 'internal:0' };
    const late = { ...rest, blockTime: 2_100 };
    const timedOut: Evidence = {
      ...evidence,
      transfers: [internal, late],
      finalTimes: new Map([['ETH', 2_200]]),
      dust: new Map([['ETH', internal.units]]),
    };
    const last = receivedWith('TIME-OUT', '0.5', { already_confirms: 0 });
    expect(findingsOf(checkLastDetails, [last], timedOut)).toEqual([]);
    const shown: Evidence = { ...timedOut, transfers: [half, late] };
    expect(findingsOf(checkLastDetails, [last], shown)).not.toEqual([]);
  });

  it('takes no confirmations of a late payment where other money lay at the address before the order', () => {
    const before = { ...half, blockTime: 500, minedAtStep: 5 };
    const transfers = [before, { ...rest, blockTime: 2_100 }];
    const timedOut: Evidence = { ...evidence, transfers, finalTimes: new Map([['ETH', 2_200]]) };
    const last = receivedWith('TIME-OUT', '0.5', { already_confirms: 0 });
    expect(findingsOf(checkLastDetails, [last], timedOut)).toEqual([]);
  });
});
