// Shows that bodies are what the contract says: its fields, its order, its amounts.
import { payment } from '@ducat/contract/events/payment';
import { amountOf } from '@ducat/core/money/amount';
import type { PaymentEvent, PaymentEventOrder } from '@ducat/core/webhook/event';
import Schema from 'typebox/schema';
import { describe, expect, it } from 'vitest';
import { createPaymentEventEncoder } from './encode-payment-event.ts';

const encode = createPaymentEventEncoder(
  new Map([
    [1001, { decimals: 6, chainId: 1 }],
    [2001, { decimals: 18, chainId: 56 }],
  ]),
);

const event: PaymentEvent = {
  type: 'PAYMENT',
  tradeNo: 'ord_1',
  status: 'PAID',
  collected: amountOf(1001, 12_500_000n),
  txId: '0xabc',
  time: 1_763_627_000,
};

const order: PaymentEventOrder = {
  appId: 'app_1',
  outTradeNo: 'order-1001',
  chain: 'ETH',
  currencyId: 1001,
  due: amountOf(1001, 12_500_001n),
  fiatAmount: '12.50',
  redirectUrl: 'https://shop.example/thanks',
};

describe('createPaymentEventEncoder', () => {
  it('writes exactly the fields of the contract, in its order', () => {
    expect(encode(event, order)).toBe(
      '{"appid":"app_1","trade_no":"ord_1","out_trade_no":"order-1001","amount_collected":"12.5","amount":"12.50",' +
        '"token_amount":"12.500001","chain":"ETH","chain_id":1,"type":"PAYMENT","currency_id":1001,"txid":"0xabc",' +
        '"status":"PAID","time":1763627000,"redirect_url":"https://shop.example/thanks"}',
    );
    expect(Object.keys(JSON.parse(encode(event, order)))).toEqual(Object.keys(payment.body.properties));
  });

  it.each([
    ['a payment', {}, {}],
    ['an underpayment', { status: 'TO-BE-PAID', collected: amountOf(1001, 1n) }, {}],
    ['a time-out without a transfer', { status: 'TIME-OUT', txId: '', collected: amountOf(1001, 0n) }, {}],
    ['an order without fiat amount and page', {}, { fiatAmount: '', redirectUrl: '' }],
    [
      'the largest number of a chain',
      { collected: amountOf(2001, 2n ** 256n - 1n) },
      { currencyId: 2001, due: amountOf(2001, 1n) },
    ],
    ['text that has to be escaped', {}, { outTradeNo: '"\\/ äöü 注文 🛒 \u2028 \ud800' }],
  ] as const)('fits the schema of the contract for %s', (_name, eventChange, orderChange) => {
    const body = JSON.parse(encode({ ...event, ...eventChange }, { ...order, ...orderChange }));
    expect(Schema.Check(payment.body, body)).toBe(true);
  });

  it('writes amounts exactly, in whole tokens', () => {
    const body = encode(
      { ...event, collected: amountOf(2001, 1n) },
      { ...order, currencyId: 2001, due: amountOf(2001, 10n ** 18n) },
    );
    expect(JSON.parse(body)).toMatchObject({
      amount_collected: '0.000000000000000001',
      token_amount: '1',
      chain_id: 56,
    });
  });

  it('takes an unknown currency for a bug', () => {
    expect(() => encode(event, { ...order, currencyId: 9999 })).toThrow('9999');
  });
});
