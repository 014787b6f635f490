// The log of the API's calls: what an app asked, how it was answered, and of a refused call what it brought.
import Type from 'typebox';
import { strictObject } from '../../fields/strict-object.ts';
import { dashboardFields as f } from '../dashboard-fields.ts';
import { defineOperation } from '../operation.ts';

const callRow = strictObject({
  call_id: Type.String(),
  app_id: Type.String(),
  at_ms: Type.Integer(),
  /** The name of an endpoint, or `other`. */
  operation: Type.String(),
  /** Method and path. */
  path: Type.String(),
  http_status: Type.Integer(),
  code: Type.Integer(),
  message: Type.String(),
  /** Of many calls the longest. */
  duration_ms: Type.Integer(),
  /** Whether it was signed with the key of the app. */
  is_proven: Type.Boolean(),
  out_trade_no: f.nullable(Type.String()),
  trade_no: f.nullable(Type.String()),
  /** More than one: so many calls like this one came within a minute of it. */
  calls: Type.Integer(),
});

/** The operations of subject api-calls. */
export const apiCallOperations = [
  // The newest first. They are written about a second after they were answered.
  defineOperation({
    name: 'api-calls.list',
    scope: 'merchant',
    permission: 'develop',
    stepUp: false,
    request: strictObject({
      merchant_id: f.merchantId,
      app_id: Type.Optional(f.appId),
      /** True for what was refused alone. */
      refused: Type.Optional(Type.Boolean()),
      operation: Type.Optional(
        Type.String({
          maxLength: 32,
          pattern: '^[a-z-]+$',
          'x-expects': 'the name of an endpoint, or other',
        }),
      ),
      /** The number of an order or payout, ours or the merchant's, or of a request. */
      named: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 128,
          'x-expects': 'the number of an order, payout or request',
        }),
      ),
      from: f.optionalTime,
      to: f.optionalTime,
      cursor: f.cursor,
      limit: f.limit,
    }),
    response: strictObject({ calls: Type.Array(callRow), next_cursor: f.nextCursor }),
  }),
  defineOperation({
    name: 'api-calls.read',
    scope: 'merchant',
    permission: 'develop',
    stepUp: false,
    request: strictObject({ merchant_id: f.merchantId, call_id: f.callId }),
    response: strictObject({
      call: strictObject({
        ...callRow.properties,
        address: Type.String(),
        request_id: Type.String(),
        body_bytes: Type.Integer(),
      }),
      /** Of a refused call, unless many stand in one line; AppKeys and one-time codes are hidden. */
      kept: f.nullable(
        strictObject({
          timestamp: f.nullable(Type.String()),
          /** Null also where it fits. */
          signature: f.nullable(Type.String()),
          signature_fits: Type.Boolean(),
          body: Type.String(),
          /** What came, byte for byte; its beginning; or not what came: parts are hidden, or are no text. */
          body_is: Type.Enum(['whole', 'cut', 'changed']),
        }),
      ),
    }),
  }),
] as const;
