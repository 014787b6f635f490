// The request fields that order/create and entrust/pre-create share.
import Type from 'typebox';
import { fields } from './fields.ts';

/** How many digits after the point a fiat amount may have, here and in every other request. */
export const FIAT_DECIMALS = 8;

/** What an order asks for, and until when. */
export const orderTerms = {
  fiat_name: Type.Optional(fields.fiatName('Fiat currency of fiat_amount; required with fiat_amount.')),
  fiat_amount: Type.Optional(
    fields.positiveAmount(
      `Fiat amount with at most ${FIAT_DECIMALS} decimals. It sets the price unless token_amount is sent too.`,
    ),
  ),
  token_amount: Type.Optional(
    fields.positiveAmount(
      'Token amount with at most the decimals of the token. When sent, it sets the amount and the fiat pair is kept as a label.',
    ),
  ),
  callback_url: Type.Optional(
    fields.webhookAddress('Webhook address of this order; default is the webhook address of the app.'),
  ),
  time_out: Type.Optional(fields.timeOut()),
};

/** Where the payer goes afterwards. */
export const redirectUrl = Type.Optional(
  fields.webAddress('Address to send the payer to after a successful payment, http:// or https://.'),
);

/** A field of the old path. */
export const referer = Type.Optional(Type.Unknown({ description: 'Accepted and ignored.' }));
