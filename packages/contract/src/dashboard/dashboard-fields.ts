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
 * The name of a person or merchant, which other people see as well. Characters that reverse or break a line or are
 * invisible are refused (Unicode's Other, and separators of lines and paragraphs). The zero width joiners are allowed,
 * because scripts need them.
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
  /** Continues a list: the `next_cursor` of the page before. */
  cursor: Type.Optional(
    Type.String({ minLength: 1, maxLength: 512, pattern: '^[!-~]+$', 'x-expects': 'a next_cursor' }),
  ),
  /** Null at the end. A page with fewer rows than asked for can still have a cursor: the filter then matched few rows. */
  nextCursor: nullable(Type.String()),
  /** How far back a filter that matched few rows has searched; null where the page is full or at the end. */
  searchedBackTo: nullable(Type.Integer({ minimum: 0, maximum: 9_999_999_999 })),
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: MAX_PAGE_ROWS,
      'x-expects': `an integer from 1 to ${MAX_PAGE_ROWS}`,
    }),
  ),
  currencyId: fields.currencyId(),
  /** A posting or a difference, which may be negative. */
  signedAmount: Type.String({ pattern: '^-?[0-9]+(\\.[0-9]+)?$' }),
  amount: fields.amount('In whole tokens.'),
  /** At the current rates; null without a rate. */
  valueUsd: nullable(Type.String()),
  limitUsd,
  /** The operator's limits for all apps of a merchant together. The merchant cannot raise them. */
  merchantLimits: {
    /** The limits of one payout, and of all payouts of 24 hours. */
    payout_max_usd: limitUsd,
    payout_max_day_usd: limitUsd,
    /** How many orders may wait to be paid at once. */
    max_open_orders: nullable(
      Type.Integer({ minimum: 0, maximum: 100_000, 'x-expects': 'null or an integer from 0 to 100000' }),
    ),
  },
  time: Type.Integer({ minimum: 0, maximum: 9_999_999_999 }),
  optionalTime: Type.Optional(fields.time('Unix seconds.')),
  /** `on-top` gives the recipient the amount, `deducted` the amount less the fees. */
  feeMode: Type.Enum(['on-top', 'deducted'], { 'x-expects': 'on-top or deducted' }),
  /** Why a person did something; kept for ever. */
  reason: fields.label('Why; kept for ever.'),
  chain: Type.String({
    minLength: 1,
    maxLength: 32,
    pattern: '^[!-~]+$',
    'x-expects': 'the name of a chain',
  }),
  /** The name of one click, made by the page. A repeated request with the same content has no further effect. */
  requestId: Type.String({
    minLength: 16,
    maxLength: 64,
    pattern: '^[A-Za-z0-9_-]+$',
    'x-expects': '16 to 64 letters, digits, hyphens or underscores',
  }),
  /** The version of the settings that the page showed. Where they have changed since, the answer is `changed`. */
  version: Type.String({ minLength: 1, maxLength: 64, pattern: '^[!-~]+$', 'x-expects': 'a version' }),
  /** Counts stop at 10,001, which means more than 10,000. */
  cappedCount: Type.Integer({ minimum: 0, maximum: 10_001 }),
} as const;
