// A merchant's balances: what is owned, what of it can be moved, and why the rest cannot.
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
  /** The rest of the total, by the reason that it cannot be moved; zero where a reason does not apply. */
  bound_by_payouts: f.amount,
  unassigned: f.amount,
  /** At addresses where moving the money costs more than the operator's threshold allows. */
  too_small_to_collect: f.amount,
  /** At addresses where the token refuses to move it, or where an operator has to look. */
  frozen_at_addresses: f.amount,
});

/** One currency of one app. */
const ofBalance = { merchant_id: f.merchantId, app_id: f.appId, currency_id: f.currencyId };
const span = { from: f.optionalTime, to: f.optionalTime };

/**
 * The sides of entries. The app's accounts rise by received - fee - paid_out - network_charge. Where a receipt was reversed,
 * because a fork took it away, `received` and `fee` are negative.
 */
const sides = {
  /** Money from outside, before the fee. */
  received: f.signedAmount,
  /** The gateway's fees on deposits and payouts. */
  fee: f.signedAmount,
  /** Money to recipients of payouts. */
  paid_out: f.amount,
  /** The network fees that payouts were charged. The operator bears the cost of collections. */
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
  // Lists the addresses whose money cannot be moved, the largest amount first.
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
  // The journal of an app in one currency, the newest entry first. For each account: opening + came - went = closing.
  defineOperation({
    name: 'balances.statement',
    scope: 'merchant',
    permission: 'view',
    stepUp: false,
    request: strictObject({ ...ofBalance, ...span, cursor: f.cursor, limit: f.limit }),
    response: strictObject({
      /** Totals of the whole span, sent with the first page only. */
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
          /**
           * The sides of the whole entry, sent with its first posting only. Null with the other postings, and where the
           * money stayed in the app's accounts.
           */
          sides: f.nullable(strictObject(sides)),
          /** Null where the entry books no receipt. */
          receipt: f.nullable(
            strictObject({
              tx_id: Type.String(),
              /** At the price at the time of booking, rounded down; null where no price was known. */
              value_usd: f.nullable(Type.String()),
              /** The order that the receipt was for; null for none. */
              trade_no: f.nullable(Type.String()),
            }),
          ),
        }),
      ),
      next_cursor: f.nextCursor,
    }),
  }),
  // Sums over all accounts: opening + received - fee - paid_out - network_charge = closing. A separate operation,
  // because it reads each entry of the span and the page does not wait for it.
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
      /** The same sums by days of UTC, the oldest first. Days without entries are left out. */
      days: Type.Array(strictObject({ day: f.time, ...sides })),
    }),
  }),
  // A separate operation for the same reason: each receipt of the span has a price of its own.
  defineOperation({
    name: 'balances.sum-receipts',
    scope: 'merchant',
    permission: 'view',
    stepUp: false,
    request: strictObject({ ...ofBalance, ...span }),
    response: strictObject({
      receipts: Type.Integer(),
      /** The receipts that had no price when they were booked. They are not in the sum. */
      unpriced: Type.Integer(),
      /** The worth of the other receipts at the time of booking, added up. */
      value_usd: Type.String(),
    }),
  }),
  // The statement as CSV, the oldest entry first, between the opening and closing rows of each account. Each receipt
  // has the price that it is valued by, and 1 where there was none. The first line of each entry has received, fee,
  // paid out and network fee. These columns add up to the closing rows. Account `all` stands for all accounts together.
  defineOperation({
    name: 'balances.export-statement',
    scope: 'merchant',
    permission: 'view',
    stepUp: false,
    request: strictObject({ ...ofBalance, ...span }),
    response: strictObject({}),
  }),
] as const;
