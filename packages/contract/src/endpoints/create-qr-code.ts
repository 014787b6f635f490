// POST /api/payment-qr-code/create: gives out a static payment address.
import Type from 'typebox';
import { defineEndpoint, generalRefusals } from '../endpoint.ts';
import { fields } from '../fields/fields.ts';
import { strictObject } from '../fields/strict-object.ts';

const name = fields.label('QR code name, for you to tell it from others; payers do not see it.');

const amount = Type.Optional(
  fields.amountFromZero(
    'Default payment amount in whole tokens, with at most the decimals of the token; "0", the default, where the payer chooses. It is kept with the code; a payment of any other amount counts as what it is.',
  ),
);

const data = strictObject({
  id: Type.Integer({ description: 'Unique QR code ID.', minimum: 1 }),
  address: fields.text('Static payment address. It stays the same for good.'),
});

/** The operation payment-qr-code/create. */
export const createQrCode = defineEndpoint({
  name: 'create-qr-code',
  path: '/api/payment-qr-code/create',
  legacyPath: '/v1/payment-qr-code/create',
  summary: 'Create a static QR code',
  description:
    'Gives out a static payment address for repeated payments in one currency. Each transfer of that currency to it is a payment of its own, with its own trade_no and its own QR_PAYMENT webhook to the webhook address of the app; so are two transfers of one transaction. A call is named by the header Idempotency-Key, else by X-Sign: sent again under the same name with the same fields, it answers the same QR code, however often; with other fields it is refused with 10003.',
  request: strictObject({ name, currency_id: fields.currencyId(), amount }),
  legacyRequest: strictObject({ name, currency_id: fields.legacyCurrencyId(), amount }),
  data,
  legacyData: data,
  allowsEmptyBody: false,
  takesIdempotencyKey: true,
  appKind: 'QR_CODE',
  refusals: [...generalRefusals, 20003],
  exampleRequest: { name: 'Counter 3', currency_id: 1001, amount: '0' },
  exampleData: { id: 17, address: '0x52908400098527886E0F7030069857D2E4169EE7' },
});
