// The log of API calls: the request of an app, the answer, and for a refused call its content.
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
  /** The longest of the calls that share the line. */
  duration_ms: Type.Integer(),
  /** Whether the call was signed with the key of the app. */
  is_proven: Type.Boolean(),
  out_trade_no: f.nullable(Type.String()),
  trade_no: f.nullable(Type.String()),
  /** How many calls the line stands for. More than one means similar calls within a minute of this one. */
  calls: Type.Integer(),
});

/** The operations of subject api-calls. */
export const apiCallOperations = [
  // The newest first. A call is written about a second after its answer.
  defineOperation({
    name: 'api-calls.list',
    scope: 'merchant',
    permission: 'develop',
    stepUp: false,
    request: strictObject({
      merchant_id: f.merchantId,
      app_id: Type.Optional(f.appId),
      /** True for refused calls only. */
      refused: Type.Optional(Type.Boolean()),
      operation: Type.Optional(
        Type.String({
          maxLength: 32,
          pattern: '^[a-z-]+$',
          'x-expects': 'the name of an endpoint, or other',
        }),
      ),
      /** The number of an order or payout, ours or the merchant's, or the number of a request. */
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
      /** The content of a refused call; null where many calls share the line. AppKeys and one-time codes are hidden. */
      kept: f.nullable(
        strictObject({
          timestamp: f.nullable(Type.String()),
          /** Null also where the signature fits. */
          signature: f.nullable(Type.String()),
          signature_fits: Type.Boolean(),
          body: Type.String(),
          /** `whole`: the body byte for byte. `cut`: its beginning. `changed`: parts are hidden, or were no text. */
          body_is: Type.Enum(['whole', 'cut', 'changed']),
        }),
      ),
    }),
  }),
] as const;
