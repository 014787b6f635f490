// Threats G1, G2 and G4: replays, reflections and equal order numbers never make a second order.
import { limitMerchant } from '../../flows/merchants/limit-merchant.ts';
import { endpoints } from '@ducat/contract/endpoints/registry';
import { refuse } from '@ducat/core/result';
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest';
import { Outage } from '../../runtime/outage.ts';
import { createFixedRates } from '../../rates/fixed.ts';
import type { RateSource } from '../../rates/port.ts';
import { defaultApiLimits } from './api-deps.ts';
import { databaseState } from '@ducat/testkit/api/database-state';
import { NOW, signedHeaders, startTestApi, type TestApi } from '@ducat/testkit/api/test-api';
import { createTestWorld } from '@ducat/testkit/api/test-world';

const path = '/api/order/create';
const fixed = createFixedRates(createTestWorld(NOW * 1000));

let api: TestApi;
/** What the rate source does now. */
let rates: RateSource = fixed;
beforeAll(async () => {
  const source: RateSource = { warning: null, quote: (currency, fiat) => rates.quote(currency, fiat) };
  api = await startTestApi(inject('postgresAdminUrl'), { rates: source });
});
afterEach(() => {
  rates = fixed;
});
afterAll(() => api.close());

async function ordersNamed(outTradeNo: string): Promise<number> {
  const [row] = await api.database.reader.read<{ n: number }>(
    'SELECT count(*)::int AS n FROM orders WHERE out_trade_no = $1',
    [outTradeNo],
  );
  return row?.n ?? 0;
}

describe('G4: the same out_trade_no', () => {
  it('gives one order and equal bytes to 20 parallel requests with the same content', async () => {
    const order = { out_trade_no: 'same', currency_id: 1001, fiat_name: 'EUR', fiat_amount: '12.34' };
    const answers = await Promise.all(Array.from({ length: 20 }, () => api.call(path, order)));
    expect(answers.map((answer) => answer.code)).toEqual(Array.from({ length: 20 }, () => 0));
    expect(new Set(answers.map((answer) => answer.raw)).size).toBe(1);
    expect(await ordersNamed('same')).toBe(1);
  });

  it('lets one of 20 parallel requests with different content win and refuses the rest', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        api.call(path, { out_trade_no: 'race', currency_id: 1001, token_amount: String(i + 1) }),
      ),
    );
    expect(answers.map((answer) => answer.code).sort((a, b) => a - b)).toEqual([
      0,
      ...Array.from({ length: 19 }, () => 10003),
    ]);
    const losers = answers.filter((answer) => answer.code !== 0);
    expect(losers.every((answer) => answer.msg.startsWith('out_trade_no '))).toBe(true);
    expect(await ordersNamed('race')).toBe(1);
  });

  it('serves 60 different parallel orders from a pool that was empty', async () => {
    const fresh = await api.addApp();
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, i) =>
        api.call(path, { out_trade_no: `many-${i}`, currency_id: 1000, token_amount: '1' }, fresh),
      ),
    );
    expect(answers.every((answer) => answer.code === 0)).toBe(true);
    expect(new Set(answers.map((answer) => answer.data['pay_address'])).size).toBe(60);
  });

  it('is a number of each app by itself', async () => {
    const other = await api.addApp();
    const order = { out_trade_no: 'shared', currency_id: 1001, token_amount: '5' };
    const [mine, theirs] = [await api.call(path, order), await api.call(path, order, other)];
    expect([mine.code, theirs.code]).toEqual([0, 0]);
    expect(mine.data['trade_no']).not.toBe(theirs.data['trade_no']);
    expect(mine.data['pay_address']).not.toBe(theirs.data['pay_address']);
  });

  const first = { out_trade_no: 'forms', currency_id: 1001, token_amount: '5', time_out: 0 };
  it('knows the same content in another order of keys, without the default, and on the old path', async () => {
    const standing = await api.call(path, first);
    const { time_out: _default, ...bare } = first;
    const reversed = Object.fromEntries(Object.entries(first).toReversed());
    expect((await api.call(path, bare)).raw).toBe(standing.raw);
    expect((await api.call(path, reversed)).raw).toBe(standing.raw);
    const legacy = { ...first, currency_id: '1001', referer: { any: ['thing'] } };
    expect((await api.call('/v1/order/create', legacy)).raw).toBe(standing.raw);
  });

  it.each([
    { currency_id: 1000 },
    { token_amount: '5.0' },
    { token_amount: '6' },
    { fiat_name: 'USD', fiat_amount: '5' },
    { callback_url: 'https://shop.test/other' },
    { redirect_url: 'https://shop.test/thanks' },
    { time_out: NOW + 900 },
  ])('refuses other content: %o', async (change) => {
    await api.call(path, first);
    const before = await databaseState(api.database.reader);
    const answer = await api.call(path, { ...first, ...change });
    expect([answer.code, answer.msg.startsWith('out_trade_no ')]).toEqual([10003, true]);
    expect(await databaseState(api.database.reader)).toEqual(before);
  });
});

it('a repetition takes no room from a merchant whose open orders are limited', async () => {
  const limited = await startTestApi(inject('postgresAdminUrl'));
  const ask = (number: string) =>
    limited.call(path, { out_trade_no: number, currency_id: 1000, token_amount: '0.5' });
  try {
    await limited.database.transact((tx) => limitMerchant(tx, 'mer_1', { maxOpenOrders: 2 }));
    expect((await ask('limited-1')).code).toBe(0);
    const again = Array.from({ length: 8 }, () => ask('limited-1'));
    const answers = await Promise.all([...again, ask('limited-2'), ask('limited-1')]);
    expect(answers.map(({ code }) => code)).toEqual(answers.map(() => 0));
    expect((await ask('limited-3')).code).toBe(10002);
    expect((await ask('limited-1')).code).toBe(0);
  } finally {
    await limited.close();
  }
});

describe('G1: a captured request sent again', () => {
  it('gives the first answer while its timestamp is valid, even with the rate gone, the order timed out and the price moved', async () => {
    const body = JSON.stringify({
      out_trade_no: 'replay',
      currency_id: 1000,
      fiat_name: 'USD',
      fiat_amount: '8',
    });
    const headers = signedHeaders(body, api.payment);
    const original = await api.send(path, body, headers);
    rates = { warning: null, quote: () => Promise.reject(new Outage('down', { retryable: true })) };
    await api.database.transact((tx) =>
      tx.write("UPDATE orders SET status = 'TIME-OUT', collected = 5 WHERE out_trade_no = 'replay'", []),
    );
    api.world.advance(120_000);
    const replay = await api.send(path, body, headers);
    api.world.advance(1_000);
    const expired = await api.send(path, body, headers);
    api.world.advance(-121_000);
    expect(original.code).toBe(0);
    expect(replay.raw).toBe(original.raw);
    expect(expired.code).toBe(10007);
  });

  it('does not fit another path', async () => {
    const body = JSON.stringify({ trade_no: 'ord_x' });
    const headers = signedHeaders(body, api.payment);
    for (const other of [
      path,
      '/api/order/exchange-rates',
      '/api/currency/token-list',
      '/api/account/balance',
    ]) {
      expect((await api.send(other, body, headers)).code).toBe(10003);
    }
  });
});

describe('G2: what we signed, sent back to us', () => {
  it('has no effect as a request, whether it was an answer or a webhook', async () => {
    const answered = await api.call(path, { out_trade_no: 'mirror', currency_id: 1001, token_amount: '5' });
    const webhook = JSON.stringify({
      appid: api.payment.appId,
      trade_no: answered.data['trade_no'],
      out_trade_no: 'mirror',
      amount_collected: '5',
      amount: '',
      token_amount: '5',
      chain: 'ETH',
      chain_id: 1,
      type: 'PAYMENT',
      currency_id: 1001,
      txid: '0x1',
      status: 'PAID',
      time: NOW,
      redirect_url: '',
    });
    const before = await databaseState(api.database.reader);
    const signed = {
      'content-type': 'application/json',
      'x-appid': String(answered.headers['x-appid']),
      'x-timestamp': String(answered.headers['x-timestamp']),
      'x-sign': String(answered.headers['x-sign']),
    };
    const operations = Object.values(endpoints).filter(({ appKind }) => appKind !== 'QR_CODE');
    expect(operations.length).toBeGreaterThan(8);
    for (const where of operations.flatMap((each) => [each.path, each.legacyPath])) {
      const reflected = await api.send(where, answered.raw, signed);
      expect([where, reflected.code, reflected.data]).toEqual([where, 10003, {}]);
      const hook = await api.send(where, webhook, signedHeaders(webhook, api.payment));
      expect([where, hook.code, hook.data]).toEqual([where, 10003, {}]);
    }
    expect(await databaseState(api.database.reader)).toEqual(before);
  });

  it('costs the app none of its pace', async () => {
    const limits = { ...defaultApiLimits, perApp: { perSecond: 0.001, burst: 2 } };
    const paced = await startTestApi(inject('postgresAdminUrl'), { limits });
    try {
      const list = '/api/currency/token-list';
      const answered = await paced.call(list, {});
      const signed = {
        'content-type': 'application/json',
        'x-appid': String(answered.headers['x-appid']),
        'x-timestamp': String(answered.headers['x-timestamp']),
        'x-sign': String(answered.headers['x-sign']),
      };
      for (let n = 0; n < 5; n++) expect((await paced.send(list, answered.raw, signed)).code).toBe(10003);
      expect((await paced.call(list, {})).code).toBe(0);
    } finally {
      await paced.close();
    }
  });
});

describe('O07: the price', () => {
  const fiat = { currency_id: 1000, fiat_name: 'USD', fiat_amount: '8' };

  it('is 10002 with a rate that is missing or cannot be had, and nothing is written', async () => {
    const before = await databaseState(api.database.reader);
    const why = 'two of four sources are too old';
    rates = {
      warning: null,
      quote: () => Promise.resolve(refuse({ code: 'rate-unavailable', message: why })),
    };
    const missing = await api.call(path, { out_trade_no: 'stale', ...fiat });
    rates = {
      warning: null,
      quote: () => Promise.reject(new Outage('http://secret:pw@node', { retryable: true })),
    };
    const outage = await api.call(path, { out_trade_no: 'stale', ...fiat });
    expect([missing.status, missing.code, missing.msg]).toEqual([200, 10002, why]);
    expect([outage.status, outage.code]).toEqual([200, 10002]);
    expect(outage.msg).not.toContain('secret');
    expect(outage.msg).toContain('try again');
    expect(await databaseState(api.database.reader)).toEqual(before);
  });

  it('is frozen at creation', async () => {
    const created = await api.call(path, { out_trade_no: 'frozen', ...fiat });
    const [row] = await api.database.reader.read<{ quote: unknown; due: string }>(
      "SELECT quote, due FROM orders WHERE out_trade_no = 'frozen'",
      [],
    );
    expect(created.data['amount']).toBe('0.002');
    expect(row?.due).toBe('2000000000000000');
    expect(row?.quote).toEqual({
      fiat: 'USD',
      priceUnits: `4000${'0'.repeat(18)}`,
      at: NOW,
      source: 'fixed demo rates',
    });
  });

  it('comes from token_amount when both are sent; the fiat pair stays as a label', async () => {
    rates = { warning: null, quote: () => Promise.reject(new Outage('down', { retryable: true })) };
    const both = { out_trade_no: 'both', ...fiat, token_amount: '3.5' };
    const created = await api.call(path, both);
    expect(created.data['amount']).toBe('3.5');
    const detail = await api.call('/api/order/detail', { trade_no: created.data['trade_no'] });
    expect([detail.data['fiat_name'], detail.data['fiat_amount']]).toEqual(['USD', '8']);
  });
});

describe('O08: dust', () => {
  it('is refused where it is nothing and rounded up where it is something', async () => {
    const zero = await api.call(path, {
      out_trade_no: 'dust',
      currency_id: 1001,
      fiat_name: 'USD',
      fiat_amount: '0.0',
    });
    expect([zero.code, zero.msg.startsWith('fiat_amount ')]).toEqual([10003, true]);
    const dust = await api.call(path, {
      out_trade_no: 'dust',
      currency_id: 1001,
      fiat_name: 'VND',
      fiat_amount: '1',
    });
    expect([dust.code, dust.data['amount']]).toEqual([0, '0.01']);
  });
});

describe('G10: time_out', () => {
  it.each([
    [undefined, 1800],
    [0, 1800],
    [NOW + 60, 60],
    [NOW + 30 * 86400, 30 * 86400],
  ])('takes %s and gives %s seconds', async (timeOut, seconds) => {
    const order = { out_trade_no: `time-${timeOut}`, currency_id: 1001, token_amount: '1' };
    const answer = await api.call(path, timeOut === undefined ? order : { ...order, time_out: timeOut });
    expect([answer.data['create_time'], answer.data['time_expire']]).toEqual([NOW, NOW + seconds]);
  });
});

describe('the address', () => {
  // hits mark: address-comes-from-the-app-key
  it('is derived again before it is answered: one that was altered in the database is a bug and never shown', async () => {
    const order = { out_trade_no: 'altered', currency_id: 1001, token_amount: '5' };
    const created = await api.call(path, order);
    await api.database.transact((tx) =>
      tx.write("UPDATE orders SET address = '0x' || repeat('ab', 20) WHERE out_trade_no = 'altered'", []),
    );
    const again = await api.call(path, order);
    expect([created.code, again.status, again.code, again.data]).toEqual([0, 200, 10002, {}]);
    expect(again.raw).not.toContain('abab');
    expect(again.msg).toContain(String(again.headers['x-request-id']));
    expect(api.bugs.map((bug) => bug.name)).toEqual(['Bug']);
  });

  it('is not answered, and nothing is called a bug, when the operator took the chain out of the configuration', async () => {
    const order = { out_trade_no: 'orphan', currency_id: 1001, token_amount: '5' };
    const created = await api.call(path, order);
    const bugs = api.bugs.length;
    await api.database.transact((tx) =>
      tx.write("UPDATE orders SET currency_id = 9999 WHERE out_trade_no = 'orphan'", []),
    );
    const detail = await api.call('/api/order/detail', { trade_no: created.data['trade_no'] });
    expect([(await api.call(path, order)).code, detail.code, api.bugs.length]).toEqual([10002, 10002, bugs]);
  });
});
