// QR codes of a merchant: making them, switching them, and their payments.
import Type from 'typebox';
import { fields } from '../fields/fields.ts';
import { strictObject } from '../fields/strict-object.ts';
import { dashboardFields as f } from './dashboard-fields.ts';
import { defineOperation } from './operation.ts';

const qrCodeRow = strictObject({
  qr_code_id: Type.Integer(),
  app_id: Type.String(),
  name: Type.String(),
  currency_id: f.currencyId,
  /** Zero where the payer chooses. */
  default_amount: f.amount,
  address: Type.String(),
  create_time: f.time,
  /** Null while the code is in use. */
  disabled_time: f.nullable(f.time),
  payments: f.cappedCount,
  /** The sum of the payments that were counted. */
  collected: f.amount,
});

const qrCodeId = Type.Integer({ minimum: 1, maximum: 2_147_483_647, 'x-expects': 'the number of a QR code' });

/** The operations of subject qr-codes. */
export const qrCodeOperations = [
  defineOperation({
    name: 'qr-codes.list',
    scope: 'merchant',
    permission: 'view',
    stepUp: false,
    request: strictObject({
      merchant_id: f.merchantId,
      app_id: Type.Optional(f.appId),
      cursor: f.cursor,
      limit: f.limit,
    }),
    response: strictObject({ qr_codes: Type.Array(qrCodeRow), next_cursor: f.nextCursor }),
  }),
  defineOperation({
    name: 'qr-codes.read',
    scope: 'merchant',
    permission: 'view',
    stepUp: false,
    request: strictObject({ merchant_id: f.merchantId, qr_code_id: qrCodeId, cursor: f.cursor }),
    response: strictObject({
      qr_code: qrCodeRow,
      /** The newest first. */
      payments: Type.Array(
        strictObject({
          trade_no: Type.String(),
          amount: f.amount,
          tx_id: Type.String(),
          position: Type.String(),
          from: Type.String(),
          block_number: Type.Integer(),
          at: f.time,
          /** `late`: a payment after the code was disabled. It is credited, and no webhook is sent. */
          disposition: Type.Enum(['payment', 'late']),
        }),
      ),
      next_cursor: f.nextCursor,
    }),
  }),
  defineOperation({
    name: 'qr-codes.create',
    scope: 'merchant',
    permission: 'develop',
    stepUp: false,
    request: strictObject({
      merchant_id: f.merchantId,
      request_id: f.requestId,
      app_id: f.appId,
      currency_id: f.currencyId,
      name: fields.label('How the code is called.'),
      amount: fields.amountFromZero('What payers are asked to send; "0" where they choose.'),
    }),
    response: strictObject({ qr_code: qrCodeRow }),
  }),
  // Switches a code. The address of a disabled code stays watched, and payments to it are still credited.
  defineOperation({
    name: 'qr-codes.switch',
    scope: 'merchant',
    permission: 'develop',
    stepUp: false,
    request: strictObject({ merchant_id: f.merchantId, qr_code_id: qrCodeId, is_disabled: Type.Boolean() }),
    response: strictObject({ qr_code: qrCodeRow }),
  }),
] as const;
