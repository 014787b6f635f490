// POST /api/order/detail: reads one order in full.
import Type from 'typebox';
import { defineEndpoint, generalRefusals } from '../endpoint.ts';
import { fields } from '../fields/fields.ts';
import { fiatNames } from '../fields/fiat-names.ts';
import { orderFields } from '../fields/order-fields.ts';
import { strictObject } from '../fields/strict-object.ts';
import { createOrder } from './create-order.ts';

const request = strictObject({
  trade_no: fields.tradeNo('Platform transaction ID, as order/create answered it.'),
});

const currentData = strictObject({
  trade_no: orderFields.trade_no,
  out_trade_no: fields.text('Merchant order ID.'),
  chain: orderFields.chain,
  token: orderFields.token,
  contract: orderFields.contract,
  fiat_name: Type.Enum([...fiatNames, ''], {
    description: 'Fiat currency name; empty when the order has none.',
  }),
  fiat_amount: fields.amountOrEmpty('Fiat amount to pay; empty when the order has none.'),
  amount: orderFields.amount,
  mode: orderFields.mode,
  pay_address: orderFields.pay_address,
  status: Type.Enum(['TO-BE-PAID', 'PAID', 'TIME-OUT'], {
    description: 'Transaction status. PAID and TIME-OUT are final.',
  }),
  time_expire: orderFields.time_expire,
  decimal: orderFields.decimal,
  chain_id: orderFields.chain_id,
  equity: orderFields.equity,
  create_time: orderFields.create_time,
  amount_collected: orderFields.amount_collected,
  need_confirms: orderFields.need_confirms,
  already_confirms: orderFields.already_confirms,
  entrust_url: fields.text('Address of the payment page; empty when not applicable.'),
  redirect_url: fields.text('Address for the payer after a successful payment; empty when none was given.'),
  chain_info: orderFields.chain_info,
});

const { redirect_url: _redirectUrl, ...legacyProperties } = currentData.properties;

/** The operation order/detail. An unknown trade_no and a trade_no of another app get the same answer, 10004. */
export const orderDetail = defineEndpoint({
  name: 'order-detail',
  path: '/api/order/detail',
  legacyPath: '/v1/order/detail',
  summary: 'Read an order',
  description:
    'Reads one order of the calling app. amount_collected counts final transfers only; a transfer that is not final yet shows in already_confirms, which says nothing of its amount: 4 of 10 that were asked for look there as 10 do. Deliver when status is PAID.',
  request,
  legacyRequest: request,
  data: currentData,
  legacyData: strictObject(legacyProperties),
  allowsEmptyBody: false,
  appKind: 'PAYMENT',
  refusals: [...generalRefusals, 10004],
  exampleRequest: { trade_no: createOrder.exampleData.trade_no },
  exampleData: {
    trade_no: createOrder.exampleData.trade_no,
    out_trade_no: 'order-1001',
    chain: 'ETH',
    token: 'USDT',
    contract: createOrder.exampleData.contract,
    fiat_name: 'USD',
    fiat_amount: '12.50',
    amount: '12.5',
    mode: 'NATIVE',
    pay_address: createOrder.exampleData.pay_address,
    status: 'PAID',
    time_expire: 1763628600,
    decimal: 6,
    chain_id: 1,
    equity: 0,
    create_time: 1763626800,
    amount_collected: '12.5',
    need_confirms: 12,
    already_confirms: 12,
    entrust_url: '',
    redirect_url: 'https://shop.example/thanks',
    chain_info: createOrder.exampleData.chain_info,
  },
});
