// What a merchant owns, what of it can be moved, and why the rest cannot.
import Type from 'typebox';
import { strictObject } from '../fields/strict-object.ts';
import { dashboardFields as f } from './dashboard-fields.ts';
import { defineOperation } from './operation.ts';

const balance = strictObject({
  app_id: Type.String(),
  currency_id: f.currencyId,
  total: f.amount,
  operable: f.amount,
  value_usd: f.valueUsd,
  /** The rest of the total, by its reason; zero where nothing is held so. */
  bound_by_payouts: f.amount,
  unassigned: f.amount,
  /** At addresses where moving it costs more than the operator's threshold allows. */
  too_small_to_collect: f.amount,
  /** At addresses where the token refuses to move it, or an operator has to look. */
  frozen_at_addresses: f.amount,
});

/** One currency of one app. */
const ofBalance = { merchant_id: f.merchantId, app_id: f.appId, currency_id: f.currencyId };
const span = { from: f.optionalTime, to: f.optionalTime };

/** None is negative. What the app's accounts rise by is received - fee - paid_out - network_charge. */
const sides = {
  /** From outside, before the fee. */
  received: f.amount,
  /** The gateway's, on deposits and payouts. */
  fee: f.amount,
  /** To recipients of payouts. */
  paid_out: f.amount,
  /** What payouts were charged for their network fees. Collecting is at the operator's cost. */
  network_charge: f.amount,
};

const account = Type.Enum(['available', 'frozen', 'unassigned']);

/** The operations of subject balances. */
export const balanceOperations = [
  defineOperation({
    name: 'balances.read',
    scope: 'merchant',
    permission: 'view',
    stepUp: false,
    request: strictObject({ merchant_id: f.merchantId }),
    response: strictObject({
      balances: Type.Array(balance),
      /** Null where a currency that is held has no rate. */
      value_usd: f.valueUsd,
    }),
  }),
  // Addresses whose money cannot be moved, one by one, the largest first.
  defineOperation({
    name: 'balances.list-stuck',
    scope: 'merchant',
    permission: 'view',
    stepUp: false,
    request: strictObject(ofBalance),
    response: strictObject({
      holdings: Type.Array(
        strictObject({
          address: Type.String(),
          amount: f.amount,
          state: Type.Enum(['small', 'frozen']),
          reason: f.nullable(Type.String()),
          since: f.time,
        }),
      ),
    }),
  }),
  // The journal of an app in one currency, the newest first. Opening + came - went = closing, account by account.
  defineOperation({
    name: 'balances.statement',
    scope: 'merchant',
    permission: 'view',
    stepUp: false,
    request: strictObject({ ...ofBalance, ...span, cursor: f.cursor, limit: f.limit }),
    response: strictObject({
      /** Of the whole span, with the first page alone. */
      totals: Type.Array(
        strictObject({
          account,
          opening: f.amount,
          came: f.amount,
          went: f.amount,
          closing: f.amount,
        }),
      ),
      postings: Type.Array(
        strictObject({
          entry_id: Type.Integer(),
          at: f.time,
          fact: Type.String(),
          reference: Type.String(),
          account,
          amount: f.signedAmount,
          /** Of the whole entry, with the first of its postings; null with the others, and where money stayed in the app's accounts. */
          sides: f.nullable(strictObject(sides)),
          /** Null for what is no receipt. */
          receipt: f.nullable(
            strictObject({
              tx_id: Type.String(),
              /** At the price when it was booked, rounded down; null where none was known. */
              value_usd: f.nullable(Type.String()),
              /** The order that it came for; null for none. */
              trade_no: f.nullable(Type.String()),
            }),
          ),
        }),
      ),
      next_cursor: f.nextCursor,
    }),
  }),
  // All accounts together: opening + received - fee - paid_out - network_charge = closing. Apart from the page, which does not
  // wait for it: each entry of the span is looked at.
  defineOperation({
    name: 'balances.sum-statement',
    scope: 'merchant',
    permission: 'view',
    stepUp: false,
    request: strictObject({ ...ofBalance, ...span }),
    response: strictObject({
      opening: f.amount,
      ...sides,
      closing: f.amount,
      /** The same sums by days of UTC, the oldest first; a day without any is left out. */
      days: Type.Array(strictObject({ day: f.time, ...sides })),
    }),
  }),
  // Apart for the same reason: each receipt of the span has a price of its own.
  defineOperation({
    name: 'balances.sum-receipts',
    scope: 'merchant',
    permission: 'view',
    stepUp: false,
    request: strictObject({ ...ofBalance, ...span }),
    response: strictObject({
      receipts: Type.Integer(),
      /** Without a price when they were booked, and not in the sum. */
      unpriced: Type.Integer(),
      /** The sum of what the others were worth when they were booked. */
      value_usd: Type.String(),
    }),
  }),
  // The statement as CSV, the oldest first, between what each account began and ended with. For each receipt it has the price
  // by which it is valued, and 1 where there was none; for each entry, with its first line, what was received, fee, what was paid
  // out and the network fee. These columns add up to what the closing rows have; account `all` is all accounts together.
  defineOperation({
    name: 'balances.export-statement',
    scope: 'merchant',
    permission: 'view',
    stepUp: false,
    request: strictObject({ ...ofBalance, ...span }),
    response: strictObject({}),
  }),
] as const;
