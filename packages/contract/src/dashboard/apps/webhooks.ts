// The webhook console: events with their exact bodies, every attempt, and resending.
import Type from 'typebox';
import { fields } from '../../fields/fields.ts';
import { strictObject } from '../../fields/strict-object.ts';
import { dashboardFields as f } from '../dashboard-fields.ts';
import { attempt } from '../orders/timeline.ts';
import { defineOperation } from '../operation.ts';

const states = ['pending', 'delivered', 'dead', 'unsent'] as const;
const state = Type.Enum([...states], { 'x-expects': `one of ${states.join(', ')}` });
const eventId = fields.tradeNo('An event.');

const eventRow = strictObject({
  event_id: Type.String(),
  app_id: Type.String(),
  /** The order, payout or QR payment that the event is about. */
  trade_no: Type.String(),
  type: Type.Enum(['PAYMENT', 'TRANSFER', 'QR_PAYMENT']),
  status: Type.String(),
  state,
  url: f.nullable(Type.String()),
  attempts: Type.Integer(),
  /** Null when no further attempt is planned. */
  next_attempt_at: f.nullable(f.time),
  under_way: Type.Boolean(),
  created_at: f.time,
});

/** The operations of subject webhooks. */
export const webhookOperations = [
  // The newest first.
  defineOperation({
    name: 'webhooks.list',
    scope: 'merchant',
    permission: 'view',
    stepUp: false,
    request: strictObject({
      merchant_id: f.merchantId,
      app_id: Type.Optional(f.appId),
      state: Type.Optional(state),
      trade_no: Type.Optional(f.tradeNo),
      from: f.optionalTime,
      to: f.optionalTime,
      cursor: f.cursor,
      limit: f.limit,
    }),
    response: strictObject({ events: Type.Array(eventRow), next_cursor: f.nextCursor }),
  }),
  defineOperation({
    name: 'webhooks.read',
    scope: 'merchant',
    permission: 'view',
    stepUp: false,
    request: strictObject({ merchant_id: f.merchantId, event_id: eventId }),
    response: strictObject({
      event: eventRow,
      /** The exact text that each attempt sends. */
      body: Type.String(),
      /** Headers that are the same in each attempt. Timestamp and signature are made for each attempt and are not kept. */
      headers: Type.Array(strictObject({ name: Type.String(), value: Type.String() })),
      /** The newest first. */
      attempts: Type.Array(attempt),
    }),
  }),
  // Puts dead or delivered events on a fresh schedule; others stay as they are.
  defineOperation({
    name: 'webhooks.resend',
    scope: 'merchant',
    permission: 'develop',
    stepUp: false,
    request: strictObject({
      merchant_id: f.merchantId,
      event_ids: Type.Array(eventId, { minItems: 1, maxItems: 100 }),
    }),
    response: strictObject({ resent: Type.Array(Type.String()) }),
  }),
  // Resends events of one app that were made at or after `from` and before `to`, the oldest first: a merchant gets the events
  // of one order in their order. A call takes at most 1,000 events; the next call continues at the cursor.
  defineOperation({
    name: 'webhooks.resend-span',
    scope: 'merchant',
    permission: 'develop',
    stepUp: false,
    request: strictObject({
      merchant_id: f.merchantId,
      app_id: f.appId,
      state: Type.Enum(['dead', 'delivered'], { 'x-expects': 'dead or delivered' }),
      from: fields.time('Unix seconds.'),
      to: fields.time('Unix seconds.'),
      cursor: f.cursor,
    }),
    response: strictObject({ resent: Type.Integer(), next_cursor: f.nextCursor }),
  }),
] as const;
