// Unassigned receipts: money on an address of ours that no order can count until a person says so.
import Type from 'typebox';
import { fields } from '../../fields/fields.ts';
import { strictObject } from '../../fields/strict-object.ts';
import { dashboardFields as f } from '../dashboard-fields.ts';
import { defineOperation } from '../operation.ts';
import { payoutRow } from '../payouts.ts';

/** The identity of a transfer. */
const identity = {
  chain: f.chain,
  tx_id: Type.String({ minLength: 1, maxLength: 128, pattern: '^[!-~]+$', 'x-expects': 'a transaction id' }),
  position: Type.String({ minLength: 1, maxLength: 64, pattern: '^[!-~]+$', 'x-expects': 'a position' }),
};

const toAddress = fields.address('Where it goes. The sender of an exchange is not its customer: ask them.');

export const receiptRow = strictObject({
  chain: Type.String(),
  tx_id: Type.String(),
  position: Type.String(),
  /** Null where the receipt is at a wallet of the gateway. */
  app_id: f.nullable(Type.String()),
  currency_id: f.currencyId,
  amount: f.amount,
  from: Type.String(),
  to: Type.String(),
  block_number: Type.Integer(),
  at: f.time,
  /** The order whose address received it; null where the address belonged to none. */
  trade_no: f.nullable(Type.String()),
});

/** The operations of subject receipts. */
export const receiptOperations = [
  // The newest first.
  defineOperation({
    name: 'receipts.list',
    scope: 'merchant',
    permission: 'view',
    stepUp: false,
    request: strictObject({
      merchant_id: f.merchantId,
      app_id: Type.Optional(f.appId),
      cursor: f.cursor,
      limit: f.limit,
    }),
    response: strictObject({ receipts: Type.Array(receiptRow), next_cursor: f.nextCursor }),
  }),
  defineOperation({
    name: 'receipts.assign',
    scope: 'merchant',
    permission: 'pay-out',
    stepUp: true,
    request: strictObject({
      merchant_id: f.merchantId,
      ...identity,
      /** An order of the same app and currency. */
      trade_no: f.tradeNo,
      reason: f.reason,
    }),
    response: strictObject({
      disposition: Type.Enum(['payment', 'late', 'extra']),
      order_status: Type.Enum(['TO-BE-PAID', 'PAID', 'TIME-OUT']),
    }),
  }),
  // The cost of sending a receipt back now, and why a refund would be refused. Nothing is reserved.
  defineOperation({
    name: 'receipts.quote-refund',
    scope: 'merchant',
    permission: 'pay-out',
    stepUp: false,
    request: strictObject({ merchant_id: f.merchantId, ...identity, to_address: toAddress }),
    response: strictObject({
      app_id: Type.String(),
      app_name: Type.String(),
      currency_id: f.currencyId,
      amount: f.amount,
      /** The network fee in the currency of the receipt: the least that is kept. */
      least_keep: f.amount,
      value_usd: f.valueUsd,
      needs_approval: Type.Boolean(),
      /** Whether the app asks for a one-time code. */
      one_time_codes: Type.Boolean(),
      /** Why the refund would be refused as things stand; null where it would not be. */
      refusal: f.nullable(Type.String()),
    }),
  }),
  // Sends back a receipt that counts for no order, or late or extra money. The refund is a payout of its own amount,
  // made once. The payout rules of its app apply to it.
  defineOperation({
    name: 'receipts.refund',
    scope: 'merchant',
    permission: 'pay-out',
    stepUp: true,
    request: strictObject({
      merchant_id: f.merchantId,
      ...identity,
      to_address: toAddress,
      keep: fields.amountFromZero('What of it is kept, in its own currency: the network fee at least.'),
      reason: f.reason,
      otp_code: Type.Optional(fields.oneTimeCode('Where one-time codes are on for the app.')),
    }),
    response: strictObject({ payout: payoutRow }),
  }),
] as const;
