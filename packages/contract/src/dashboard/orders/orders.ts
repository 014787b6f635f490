// The orders of a merchant: lists, search, the story of one, and export.
import Type from 'typebox';
import { fields } from '../../fields/fields.ts';
import { strictObject } from '../../fields/strict-object.ts';
import { dashboardFields as f } from '../dashboard-fields.ts';
import { defineOperation } from '../operation.ts';
import { orderRow, orderStatus } from './order-row.ts';
import { orderFacts, orderTimeline } from './timeline.ts';

const filter = {
  merchant_id: f.merchantId,
  app_id: Type.Optional(f.appId),
  status: Type.Optional(orderStatus),
  /** Only orders that timed out and are paid in full: a part of the money came too late. */
  is_late: Type.Optional(Type.Boolean()),
  currency_id: Type.Optional(f.currencyId),
  /** Made at or after this time. */
  from: f.optionalTime,
  /** Made before this time. */
  to: f.optionalTime,
};

const { status: _status, ...facts } = orderFacts;

/** The operations of subject orders. */
export const orderOperations = [
  // The newest first.
  defineOperation({
    name: 'orders.list',
    scope: 'merchant',
    permission: 'view',
    stepUp: false,
    request: strictObject({ ...filter, cursor: f.cursor, limit: f.limit }),
    response: strictObject({
      orders: Type.Array(orderRow),
      next_cursor: f.nextCursor,
      searched_back_to: f.searchedBackTo,
    }),
  }),
  defineOperation({
    name: 'orders.read',
    scope: 'merchant',
    permission: 'view',
    stepUp: false,
    request: strictObject({ merchant_id: f.merchantId, trade_no: f.tradeNo }),
    response: strictObject({
      /** The server's clock. */
      now: f.time,
      order: strictObject({ ...orderRow.properties, ...facts }),
      timeline: orderTimeline,
    }),
  }),
  // A person lets an order that timed out count as paid, by the money that came.
  defineOperation({
    name: 'orders.accept-late',
    scope: 'merchant',
    permission: 'pay-out',
    stepUp: true,
    request: strictObject({ merchant_id: f.merchantId, trade_no: f.tradeNo, reason: f.reason }),
    response: strictObject({ order_status: orderStatus }),
  }),
  // The same filter; the answer is text/csv and streams, the newest first. Formulas are neutralised.
  defineOperation({
    name: 'orders.export',
    scope: 'merchant',
    permission: 'view',
    stepUp: false,
    request: strictObject(filter),
    response: strictObject({}),
  }),
  // By our number, the merchant's number, a transaction, or an address: whole, or the first characters of our number.
  defineOperation({
    name: 'search.find',
    scope: 'merchant',
    permission: 'view',
    stepUp: false,
    request: strictObject({ merchant_id: f.merchantId, text: fields.label('What is looked for.') }),
    response: strictObject({
      found: Type.Array(
        strictObject({
          kind: Type.Enum(['order', 'payout', 'qr-code', 'receipt', 'event']),
          /** Its trade_no, event_id or number of a QR code; of a receipt its transaction. */
          id: Type.String(),
          /** What matched. */
          by: Type.Enum(['number', 'own-number', 'transaction', 'address']),
          /** What to show beside it, such as the merchant's own number. */
          label: Type.String(),
          status: Type.String(),
          at: f.time,
        }),
      ),
    }),
  }),
] as const;
