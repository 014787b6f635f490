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
  /** Only orders that timed out and are paid in full, because part of the money arrived too late. */
  is_late: Type.Optional(Type.Boolean()),
  currency_id: Type.Optional(f.currencyId),
  /** Orders made at or after this time. */
  from: f.optionalTime,
  /** Orders made before this time. */
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
  // A person decides that an order that timed out counts as paid, by the money that arrived.
  defineOperation({
    name: 'orders.accept-late',
    scope: 'merchant',
    permission: 'pay-out',
    stepUp: true,
    request: strictObject({ merchant_id: f.merchantId, trade_no: f.tradeNo, reason: f.reason }),
    response: strictObject({ order_status: orderStatus }),
  }),
  // Takes the same filter. The answer is streamed as text/csv, the newest first. Formulas are neutralised.
  defineOperation({
    name: 'orders.export',
    scope: 'merchant',
    permission: 'view',
    stepUp: false,
    request: strictObject(filter),
    response: strictObject({}),
  }),
  // Searches by our number, the merchant's number, a transaction or an address. Our number may be cut after its first
  // characters.
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
          /** The trade_no, the event_id or the number of a QR code; for a receipt its transaction. */
          id: Type.String(),
          /** The kind of text that matched. */
          by: Type.Enum(['number', 'own-number', 'transaction', 'address']),
          /** A text to show beside the result, such as the merchant's own number. */
          label: Type.String(),
          status: Type.String(),
          at: f.time,
        }),
      ),
    }),
  }),
] as const;
