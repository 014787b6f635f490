// The schemas of single fields, shared by the request and response schemas of the endpoints and events.
import Type from 'typebox';
import { fiatNames } from './fiat-names.ts';
import { isWebAddress, isWebhookAddress, MAX_WEB_ADDRESS } from './web-address.ts';

// The keyword `x-expects` completes the sentence "<field> must be …" of a refusal, so that a schema and its message
// stay together. The patterns of amounts have no nested repetition, so that they run in linear time.
const positiveAmountPattern = '^(0*[1-9][0-9]*(\\.[0-9]+)?|0+\\.0*[1-9][0-9]*)$';
const amountPattern = '^[0-9]+(\\.[0-9]+)?$';
const urlPattern =
  '^[Hh][Tt][Tt][Pp][Ss]?://[^\\s/?#@\\\\\\u0000-\\u001f\\u007f]+([/?#][^\\s\\u0000-\\u001f\\u007f]*)?$';
const largestCurrencyId = 2147483647;
const noControls = '^[^\\u0000-\\u001f\\u007f-\\u009f]+$';

const shortText = (description: string) =>
  Type.String({
    description,
    minLength: 1,
    maxLength: 128,
    pattern: noControls,
    'x-expects': 'a string of 1 to 128 characters without control characters',
  });

/** Field schemas by meaning; each function takes the description that belongs to the place of use. */
export const fields = {
  /** A merchant's own order number: 1 to 128 characters (code points), no control characters. */
  outTradeNo: shortText,

  /** A text that people see again as it was given: at most 128 characters (code points), no control characters. */
  label: shortText,

  /** Our number of an order or payment, as a request carries it. */
  tradeNo: (description: string) =>
    Type.String({
      description,
      minLength: 1,
      maxLength: 64,
      pattern: noControls,
      'x-expects': 'a string of 1 to 64 characters without control characters',
    }),

  /** The globally unique integer number of a currency. */
  currencyId: () =>
    Type.Integer({
      description: 'Globally unique currency ID, see token-list.',
      minimum: 1,
      maximum: largestCurrencyId,
      'x-expects': 'an integer from 1 to 2147483647, such as 1001',
    }),

  /** A currency number as the old paths write it: a string of digits. */
  legacyCurrencyId: () =>
    Type.Refine(
      Type.String({
        description: 'Globally unique currency ID as a string of digits, see token-list.',
        pattern: '^[1-9][0-9]{0,9}$',
        maxLength: 10,
        'x-expects': 'a string of digits from "1" to "2147483647", such as "1001"',
      }),
      (value) => Number(value) <= largestCurrencyId,
    ),

  /** One of the 23 fiat names. */
  fiatName: (description: string) =>
    Type.Enum(fiatNames, { description, 'x-expects': `one of ${fiatNames.join(', ')}` }),

  /** An amount that a request carries: plain decimal text above zero. */
  positiveAmount: (description: string) =>
    Type.String({
      description,
      pattern: positiveAmountPattern,
      maxLength: 100,
      'x-expects':
        'a plain decimal string above zero such as "12.50" (digits, at most one point, at most 100 characters)',
    }),

  /** An amount that a request carries, where zero means none. */
  amountFromZero: (description: string) =>
    Type.String({
      description,
      pattern: amountPattern,
      maxLength: 100,
      'x-expects':
        'a plain decimal string such as "12.50" or "0" (digits, at most one point, at most 100 characters)',
    }),

  /** An amount that an answer carries: plain decimal text. */
  amount: (description: string) => Type.String({ description, pattern: amountPattern }),

  /** An amount that may be absent: plain decimal text or the empty string. */
  amountOrEmpty: (description: string) => Type.String({ description, pattern: '^([0-9]+(\\.[0-9]+)?)?$' }),

  /** An absolute http or https address without user info, for a browser to open. */
  webAddress: (description: string) => Type.Refine(webPlace(description, ''), isWebAddress),

  /** A web address for webhooks, which are sent to certain ports only. */
  webhookAddress: (description: string) =>
    Type.Refine(webPlace(description, ', on port 80, 443 or above 1023'), isWebhookAddress),

  /** An address on a chain, as people write it. The rules of the chain decide whether it is valid. */
  address: (description: string) =>
    Type.String({
      description,
      minLength: 1,
      maxLength: 128,
      pattern: '^[!-~]+$',
      'x-expects': 'an address on the chain of the currency',
    }),

  /** A one-time code of a person's authenticator. */
  oneTimeCode: (description: string) =>
    Type.String({ description, pattern: '^[0-9]{6}$', maxLength: 6, 'x-expects': 'six digits' }),

  /** The expiry that a request asks for. */
  timeOut: () =>
    Type.Integer({
      description:
        'Expiry as a ten-digit Unix timestamp in seconds, from 60 seconds to 30 days ahead. 0 or absent: 30 minutes from now.',
      minimum: 0,
      maximum: 9999999999,
      anyOf: [{ const: 0 }, { minimum: 1000000000 }],
      'x-expects': '0 or a ten-digit Unix timestamp in seconds',
    }),

  /** Unix time in seconds. */
  time: (description: string) => Type.Integer({ description, minimum: 0, maximum: 9999999999 }),

  /** A whole number from zero. */
  count: (description: string) => Type.Integer({ description, minimum: 0 }),

  /** Any text. */
  text: (description: string) => Type.String({ description }),
};

function webPlace(description: string, more: string) {
  return Type.String({
    description,
    minLength: 8,
    maxLength: MAX_WEB_ADDRESS,
    pattern: urlPattern,
    'x-expects': `an absolute http:// or https:// address of at most ${MAX_WEB_ADDRESS} characters without user info${more}, whose host has at most 253 characters and 63 between two dots`,
  });
}
