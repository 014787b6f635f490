// POST /api/entrust/pre-create: opens an order whose payer chooses the currency on the hosted page.
import Type from 'typebox';
import { defineEndpoint, generalRefusals } from '../endpoint.ts';
import { fields } from '../fields/fields.ts';
import { orderFields } from '../fields/order-fields.ts';
import { orderTerms, redirectUrl, referer } from '../fields/order-terms.ts';
import { strictObject } from '../fields/strict-object.ts';

/** A limit above the size of the catalogue: a longer list would be a mistake. */
const MAX_CHOICES = 200;

const choices = {
  description:
    'What the payer may choose from; all currencies that are on for the app unless given. Not together with token_amount.',
  minItems: 1,
  maxItems: MAX_CHOICES,
  uniqueItems: true,
  'x-expects': `a list of 1 to ${MAX_CHOICES} different currency IDs`,
};

const outTradeNo = fields.outTradeNo(
  'Merchant order ID, unique per app for ever, over order/create and entrust/pre-create together. It makes the call idempotent: the same content again answers the same order, other content is refused with 10003.',
);

/** The fields that must be sent beside the required ones (decision B1). */
const amountRule = {
  anyOf: [{ required: ['fiat_name', 'fiat_amount'] }, { required: ['currency_id', 'token_amount'] }],
  dependentRequired: { fiat_amount: ['fiat_name'] },
};

const shared = {
  ...orderTerms,
  subject: Type.Optional(fields.label('What the order is for, shown to the payer as text.')),
};

const data = strictObject({
  trade_no: orderFields.trade_no,
  entrust_url: fields.text('Address of the payment page, {checkout_url}/<trade_no>: send the payer there.'),
  time_expire: orderFields.time_expire,
  status: Type.Enum(['TO-BE-PAID'], {
    description:
      'The status at creation. A repeated call answers the same; order/detail has the current one.',
  }),
});

/** The operation entrust/pre-create. */
export const preCreate = defineEndpoint({
  name: 'pre-create',
  path: '/api/entrust/pre-create',
  legacyPath: '/v1/entrust/pre-create',
  summary: 'Create an order that is paid on the hosted page',
  description:
    'Creates a payment order in mode HOSTED and answers the address of its payment page. Send fiat_name with fiat_amount, and the payer chooses the currency there; each choice is priced with a fresh quote, never moves time_expire, and is locked once a transfer was seen. With currency_id and no currency_ids the order is in that currency; with both, currency_id is where the payer begins. With token_amount, currency_id is required. Until the payer chooses, order/detail shows the currency in which the order would be paid without a choice.',
  request: strictObject(
    {
      out_trade_no: outTradeNo,
      ...shared,
      currency_id: Type.Optional(fields.currencyId()),
      currency_ids: Type.Optional(Type.Array(fields.currencyId(), choices)),
      redirect_url: redirectUrl,
    },
    amountRule,
  ),
  legacyRequest: strictObject(
    {
      out_trade_no: outTradeNo,
      ...shared,
      currency_id: Type.Optional(fields.legacyCurrencyId()),
      currency_ids: Type.Optional(Type.Array(fields.legacyCurrencyId(), choices)),
      referer,
    },
    amountRule,
  ),
  data,
  legacyData: data,
  allowsEmptyBody: false,
  appKind: 'PAYMENT',
  refusals: [...generalRefusals, 20003],
  exampleRequest: {
    out_trade_no: 'order-1002',
    fiat_name: 'EUR',
    fiat_amount: '23.40',
    subject: 'Two tins of tea',
    currency_ids: [1001, 2001, 3001],
    redirect_url: 'https://shop.example/thanks',
  },
  exampleData: {
    trade_no: 'ord_01kag5jmw09x4mt2c7hqz5b0wd8rk3',
    entrust_url: 'https://pay.example/ord_01kag5jmw09x4mt2c7hqz5b0wd8rk3',
    time_expire: 1763628600,
    status: 'TO-BE-PAID',
  },
});
