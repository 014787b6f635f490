// Fields that many operations of the dashboard share, so that one thing has one form on every page.
import Type, { type TSchema } from 'typebox';
import { fields } from '../fields/fields.ts';

const nullable = <T extends TSchema>(schema: T) => Type.Union([Type.Null(), schema]);

/** The most rows that one answer lists. */
const MAX_PAGE_ROWS = 100;

/** In USD as decimal text; null without a limit. */
const limitUsd = nullable(
  Type.String({
    pattern: '^[0-9]{1,15}(\\.[0-9]{1,6})?$',
    maxLength: 22,
    'x-expects': 'null or a plain decimal in USD with at most 6 decimals',
  }),
);

/**
 * How somebody is called, to others too: nothing in it turns a line around, breaks it or is not seen (Unicode's Other, and
 * separators of lines and paragraphs). Scripts need the zero width joiners.
 */
export const nameField = Type.String({
  minLength: 1,
  maxLength: 128,
  pattern: '^(?:[^\\p{C}\\p{Zl}\\p{Zp}]|[\\u200c\\u200d])+$',
  'x-expects': 'a string of 1 to 128 characters without control, direction and zero width characters',
});

/** Schemas by meaning. Amounts are whole tokens as plain decimal text, times Unix seconds unless named `_ms`. */
export const dashboardFields = {
  nullable,
  merchantId: fields.tradeNo('The merchant.'),
  merchantName: nameField,
  appId: fields.tradeNo('An app of the merchant.'),
  tradeNo: fields.tradeNo('The number of an order, a payout or a payment.'),
  callId: fields.tradeNo('A call in the log of the API.'),
  /** Where a list goes on: `next_cursor` of the page before. */
  cursor: Type.Optional(
    Type.String({ minLength: 1, maxLength: 512, pattern: '^[!-~]+$', 'x-expects': 'a next_cursor' }),
  ),
  /** Null at the end. A page may have fewer rows than asked for and still have a cursor: then the filter found few. */
  nextCursor: nullable(Type.String()),
  /** Where a filter found few: how far back it has looked; null where the page is full or at the end. */
  searchedBackTo: nullable(Type.Integer({ minimum: 0, maximum: 9_999_999_999 })),
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: MAX_PAGE_ROWS,
      'x-expects': `an integer from 1 to ${MAX_PAGE_ROWS}`,
    }),
  ),
  currencyId: fields.currencyId(),
  /** May be negative, where it is a posting or a difference. */
  signedAmount: Type.String({ pattern: '^-?[0-9]+(\\.[0-9]+)?$' }),
  amount: fields.amount('In whole tokens.'),
  /** At the rates of now; null without a rate. */
  valueUsd: nullable(Type.String()),
  limitUsd,
  /** What an operator allows all apps of a merchant together; the merchant cannot raise it. */
  merchantLimits: {
    /** Of one payout, and of those of 24 hours. */
    payout_max_usd: limitUsd,
    payout_max_day_usd: limitUsd,
    /** Orders that wait to be paid at once. */
    max_open_orders: nullable(
      Type.Integer({ minimum: 0, maximum: 100_000, 'x-expects': 'null or an integer from 0 to 100000' }),
    ),
  },
  time: Type.Integer({ minimum: 0, maximum: 9_999_999_999 }),
  optionalTime: Type.Optional(fields.time('Unix seconds.')),
  /** `on-top` gives the recipient the amount, `deducted` the amount less the fees. */
  feeMode: Type.Enum(['on-top', 'deducted'], { 'x-expects': 'on-top or deducted' }),
  /** Why a person did something: kept for ever. */
  reason: fields.label('Why; kept for ever.'),
  chain: Type.String({
    minLength: 1,
    maxLength: 32,
    pattern: '^[!-~]+$',
    'x-expects': 'the name of a chain',
  }),
  /** What names one click, made by the page: sent again with the same content, it does nothing twice. */
  requestId: Type.String({
    minLength: 16,
    maxLength: 64,
    pattern: '^[A-Za-z0-9_-]+$',
    'x-expects': '16 to 64 letters, digits, hyphens or underscores',
  }),
  /** Of settings as they were shown: where they changed since, a change is answered with `changed`. */
  version: Type.String({ minLength: 1, maxLength: 64, pattern: '^[!-~]+$', 'x-expects': 'a version' }),
  /** Counts stop there: 10,001 means more than 10,000. */
  cappedCount: Type.Integer({ minimum: 0, maximum: 10_001 }),
} as const;
