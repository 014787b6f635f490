// POST /api/order/exchange-rates: quotes a fiat amount in a currency without creating an order.
import { FIAT_DECIMALS } from '../fields/order-terms.ts';
import { defineEndpoint, generalRefusals } from '../endpoint.ts';
import { fields } from '../fields/fields.ts';
import { strictObject } from '../fields/strict-object.ts';

const fiatFields = {
  fiat_name: fields.fiatName('Fiat currency name.'),
  fiat_amount: fields.positiveAmount(`Fiat amount with at most ${FIAT_DECIMALS} decimals.`),
};

const data = strictObject({
  amount: fields.amount('Tokens for fiat_amount, rounded up as order/create would.'),
  exchange_rate: fields.amount('Price of one token in the fiat currency.'),
});

/** The operation order/exchange-rates. A quote older than its maximum age is never used: the answer is 10002. */
export const exchangeRates = defineEndpoint({
  name: 'exchange-rates',
  path: '/api/order/exchange-rates',
  legacyPath: '/v1/order/exchange-rates',
  summary: 'Quote a fiat amount in a currency',
  description:
    'Answers how many tokens a fiat amount costs now, and the price of one token. It reserves nothing.',
  request: strictObject({ currency_id: fields.currencyId(), ...fiatFields }),
  legacyRequest: strictObject({ currency_id: fields.legacyCurrencyId(), ...fiatFields }),
  data,
  legacyData: data,
  allowsEmptyBody: false,
  appKind: 'ANY',
  refusals: [...generalRefusals, 20003],
  exampleRequest: { currency_id: 1000, fiat_name: 'USD', fiat_amount: '12.50' },
  exampleData: { amount: '0.003125', exchange_rate: '4000' },
});
