// POST /api/payout/create: sends cryptocurrency from the balance of the app to an address.
import Type from 'typebox';
import { defineEndpoint, generalRefusals } from '../endpoint.ts';
import { fields } from '../fields/fields.ts';
import { strictObject } from '../fields/strict-object.ts';

const sharedFields = {
  amount: fields.positiveAmount('Amount in whole tokens, with at most the decimals of the token.'),
  to_address: fields.address(
    "The recipient's address on the chain of the currency. An address of mixed case must have its checksum.",
  ),
  callback_url: Type.Optional(
    fields.webhookAddress('Webhook address of this payout; default is the webhook address of the app.'),
  ),
  otp_code: Type.Optional(
    fields.oneTimeCode('One-time code; required where codes are switched on for the app.'),
  ),
};

const data = strictObject({
  cost: fields.amount('What the payout costs: service charge and network fee, in the payout currency.'),
  actual_receipt: fields.amount('What the recipient gets.'),
  trade_no: fields.text('Platform transaction ID.'),
  estimated_transfer: fields.amount('What leaves the balance, cost included.'),
});

/** The operation payout/create. */
export const createPayout = defineEndpoint({
  name: 'create-payout',
  path: '/api/payout/create',
  legacyPath: '/v1/payout/create',
  summary: 'Pay out to an address',
  description:
    'Sends an amount from the balance of the app to an address. The cost is fixed in the answer; what leaves the balance is bound at once. By default the recipient gets the amount and the cost is added; where the app is set to deduct it, the recipient gets the amount less the cost. An operable balance that does not cover it is refused with 10002, and nothing is bound. A call is named by the header Idempotency-Key, else by X-Sign: sent again under the same name with the same fields, it answers the same payout, however often; with other fields it is refused with 10003. otp_code does not count among these fields. After a timeout, send the same call again under the same name.',
  request: strictObject({ currency_id: fields.currencyId(), ...sharedFields }),
  legacyRequest: strictObject({ currency_id: fields.legacyCurrencyId(), ...sharedFields }),
  data,
  legacyData: data,
  allowsEmptyBody: false,
  takesIdempotencyKey: true,
  appKind: 'ANY',
  refusals: [...generalRefusals, 20003],
  exampleRequest: {
    currency_id: 1001,
    amount: '100',
    to_address: '0x52908400098527886E0F7030069857D2E4169EE7',
    callback_url: 'https://shop.example/ducat/webhook',
    otp_code: '492039',
  },
  exampleData: {
    cost: '0.28',
    actual_receipt: '100',
    trade_no: 'pay_01kag5jmw09x4mt2c7hqz5b0wd8rk3',
    estimated_transfer: '100.28',
  },
});
