// Unassigned receipts: money on an address of ours that no order can count until a person says so.
import Type from 'typebox';
import { fields } from '../../fields/fields.ts';
import { strictObject } from '../../fields/strict-object.ts';
import { dashboardFields as f } from '../dashboard-fields.ts';
import { defineOperation } from '../operation.ts';
import { payoutRow } from '../payouts.ts';

/** Which transfer. */
const identity = {
  chain: f.chain,
  tx_id: Type.String({ minLength: 1, maxLength: 128, pattern: '^[!-~]+$', 'x-expects': 'a transaction id' }),
  position: Type.String({ minLength: 1, maxLength: 64, pattern: '^[!-~]+$', 'x-expects': 'a position' }),
};

export const receiptRow = strictObject({
  chain: Type.String(),
  tx_id: Type.String(),
  position: Type.String(),
  /** Null where it came to a wallet of the gateway. */
  app_id: f.nullable(Type.String()),
  currency_id: f.currencyId,
  amount: f.amount,
  from: Type.String(),
  to: Type.String(),
  block_number: Type.Integer(),
  at: f.time,
  /** The order whose address it came to; null where that belonged to none. */
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
  // Sends a receipt back that counts for no order, or late or extra money: a payout of its own amount, once.
  defineOperation({
    name: 'receipts.refund',
    scope: 'merchant',
    permission: 'pay-out',
    stepUp: true,
    request: strictObject({
      merchant_id: f.merchantId,
      ...identity,
      to_address: fields.address('Where it goes. The sender of an exchange is not its customer: ask them.'),
      keep: fields.amountFromZero('What of it is kept for the network fee, in its own currency.'),
      reason: f.reason,
    }),
    response: strictObject({ payout: payoutRow }),
  }),
] as const;
