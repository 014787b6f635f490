// entrust/pre-create: one order per number over both operations, and the fields that go together.
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { startTestApi, type TestApi } from '@ducat/testkit/api/test-api';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi(inject('postgresAdminUrl'));
});
afterAll(() => api?.close());

const path = '/api/entrust/pre-create';
let asked = 0;
const fiat = { fiat_name: 'EUR', fiat_amount: '23.40' };

describe('entrust/pre-create', () => {
  it('gives one order and equal bytes to parallel requests, also once the payer has chosen', async () => {
    const order = { out_trade_no: 'same', ...fiat };
    const answers = await Promise.all(Array.from({ length: 10 }, () => api.call(path, order)));
    expect(new Set(answers.map(({ raw }) => raw)).size).toBe(1);
    expect(answers[0]!.data).toMatchObject({ status: 'TO-BE-PAID' });
    expect(answers[0]!.data['entrust_url']).toBe(`https://pay.test/${String(answers[0]!.data['trade_no'])}`);
    const other = await api.call(path, { ...order, fiat_amount: '23.4' });
    expect([other.code, other.msg]).toEqual([10003, expect.stringMatching(/^out_trade_no /)]);
  });

  it('shares its numbers with order/create', async () => {
    await api.call(path, { out_trade_no: 'both', ...fiat, currency_id: 1001 });
    const again = await api.call('/api/order/create', { out_trade_no: 'both', ...fiat, currency_id: 1001 });
    expect(again.code).toBe(10003);
  });

  it('begins in the first currency that can be taken and priced', async () => {
    const { data } = await api.call(path, {
      out_trade_no: 'first',
      ...fiat,
      currency_ids: [3001, 1002, 2001, 1001],
    });
    const detail = await api.call('/api/order/detail', { trade_no: data['trade_no'] });
    expect(detail.data).toMatchObject({ mode: 'HOSTED', chain: 'BSC', token: 'USDT', status: 'TO-BE-PAID' });
  });

  it.each([
    [{ ...fiat, currency_ids: [] }, 10003, 'currency_ids'],
    [{ ...fiat, currency_ids: [1001, 1001] }, 10003, 'currency_ids'],
    [{ ...fiat, currency_ids: [1001, 7] }, 10003, 'currency_ids'],
    [{ ...fiat, currency_id: 7 }, 10003, 'currency_id'],
    [{ ...fiat, currency_ids: [3001] }, 20003, 'currency_id'],
    [{ ...fiat, currency_id: 1000, currency_ids: [1001] }, 10003, 'currency_id'],
    [{ token_amount: '1' }, 10003, 'currency_id'],
    [{ token_amount: '1', currency_id: 1000, currency_ids: [1000] }, 10003, 'currency_ids'],
    [{}, 10003, 'token_amount'],
    [{ fiat_amount: '1' }, 10003, 'fiat_name'],
    [{ ...fiat, subject: 'x'.repeat(129) }, 10003, 'subject'],
    [{ ...fiat, redirect_url: 'java\tscript:alert(1)' }, 10003, 'redirect_url'],
    [{ ...fiat, callback_url: 'http://127.0.0.1:2000/' }, 10003, 'callback_url'],
  ])('%j answers %i', async (request, code, field) => {
    const answer = await api.call(path, { out_trade_no: `bad-${++asked}`, ...request });
    expect(answer.code, answer.msg).toBe(code);
    expect(answer.msg.startsWith(field), answer.msg).toBe(true);
  });
});
