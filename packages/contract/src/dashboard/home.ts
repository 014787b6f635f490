// The merchant's first page: deposits, what needs a person, and whether webhooks are delivered.
import Type from 'typebox';
import { strictObject } from '../fields/strict-object.ts';
import { dashboardFields as f } from './dashboard-fields.ts';
import { orderRow } from './orders/order-row.ts';
import { defineOperation } from './operation.ts';

const periods = ['24h', '7d', '30d'] as const;

const received = strictObject({
  currency_id: f.currencyId,
  /** Final money of the period that counts for orders and QR codes. */
  amount: f.amount,
  amount_before: f.amount,
  value_usd: f.valueUsd,
  payments: Type.Integer(),
  /** One amount for each of `bucket_starts`. */
  points: Type.Array(f.amount),
});

/** The operations of subject home. */
export const homeOperations = [
  defineOperation({
    name: 'home.read',
    scope: 'merchant',
    permission: 'view',
    stepUp: false,
    request: strictObject({
      merchant_id: f.merchantId,
      period: Type.Enum([...periods], { 'x-expects': `one of ${periods.join(', ')}` }),
    }),
    response: strictObject({
      /** The server's clock. */
      now: f.time,
      received: Type.Array(received),
      /** At the current rates; null where a currency with an amount has no rate. */
      value_usd: f.valueUsd,
      value_usd_before: f.valueUsd,
      /** The start of each column of the chart, in Unix seconds. */
      bucket_starts: Type.Array(f.time),
      bucket_seconds: Type.Integer(),
      /** True where only the newest payments of the period were counted, because there are too many for a page. */
      is_partial: Type.Boolean(),
      needs_you: strictObject({
        open_orders: f.cappedCount,
        /** Orders that timed out although money arrived. */
        timed_out_with_money: f.cappedCount,
        unassigned_receipts: f.cappedCount,
        payouts_open: f.cappedCount,
        payouts_to_approve: f.cappedCount,
        dead_webhooks: f.cappedCount,
      }),
      /** Events of the last 24 hours by state, of each app at most the newest 1,000. */
      webhooks: strictObject({ delivered: Type.Integer(), dead: Type.Integer(), pending: Type.Integer() }),
      newest_orders: Type.Array(orderRow),
    }),
  }),
] as const;
