// For operators: merchants, their fees and limits, and suspending a merchant.
import Type from 'typebox';
import { strictObject } from '../../fields/strict-object.ts';
import { dashboardFields as f } from '../dashboard-fields.ts';
import { emailField } from '../email-field.ts';
import { defineOperation } from '../operation.ts';
import { invitationLink } from '../team.ts';

const feePpm = Type.Integer({
  minimum: 0,
  maximum: 999_999,
  'x-expects': 'parts per million from 0 to 999999',
});

const merchantRow = strictObject({
  merchant_id: Type.String(),
  name: Type.String(),
  deposit_fee_ppm: Type.Integer(),
  payout_fee_ppm: Type.Integer(),
  created_at: f.time,
  /** The merchant's owner signed up without an invitation. */
  is_from_sign_up: Type.Boolean(),
  apps: Type.Integer(),
  /** The operator's limits, which the merchant cannot raise; null means no limit. */
  limits: strictObject(f.merchantLimits),
  /** True where every app of the merchant is switched off. */
  is_suspended: Type.Boolean(),
  version: Type.String(),
});

/** The operations of subject merchants. */
export const merchantOperations = [
  // The newest first.
  defineOperation({
    name: 'merchants.list',
    scope: 'operator',
    permission: 'operate',
    stepUp: false,
    request: strictObject({ cursor: f.cursor, limit: f.limit }),
    response: strictObject({ merchants: Type.Array(merchantRow), next_cursor: f.nextCursor }),
  }),
  // A repeated request with the same `request_id` gets the existing merchant. Where an owner was invited, it is
  // answered with `already-made`.
  defineOperation({
    name: 'merchants.create',
    scope: 'operator',
    permission: 'operate',
    stepUp: true,
    request: strictObject({
      request_id: f.requestId,
      name: f.merchantName,
      deposit_fee_ppm: feePpm,
      payout_fee_ppm: feePpm,
      /** The future owner. The operator who asks owns the merchant at once; anybody else gets an invitation. */
      owner_email: Type.Optional(emailField),
    }),
    response: strictObject({
      merchant: merchantRow,
      /** The owner's invitation; null where the owner is not another person. */
      invitation: f.nullable(invitationLink),
    }),
  }),
  defineOperation({
    name: 'merchants.change-fees',
    scope: 'operator',
    permission: 'operate',
    stepUp: true,
    request: strictObject({
      subject_merchant_id: f.merchantId,
      version: f.version,
      deposit_fee_ppm: feePpm,
      payout_fee_ppm: feePpm,
    }),
    response: strictObject({ merchant: merchantRow }),
  }),
  // Applies to payouts and orders made from now on.
  defineOperation({
    name: 'merchants.change-limits',
    scope: 'operator',
    permission: 'operate',
    stepUp: true,
    request: strictObject({
      subject_merchant_id: f.merchantId,
      version: f.version,
      limits: strictObject(f.merchantLimits),
    }),
    response: strictObject({ merchant: merchantRow }),
  }),
  // While a merchant is suspended, none of its apps gets new orders, QR codes or payouts. This includes apps that it
  // makes later. Open ones go on.
  defineOperation({
    name: 'merchants.switch',
    scope: 'operator',
    permission: 'operate',
    stepUp: true,
    request: strictObject({
      subject_merchant_id: f.merchantId,
      version: f.version,
      is_suspended: Type.Boolean(),
      reason: f.reason,
    }),
    response: strictObject({ merchant: merchantRow }),
  }),
  // Switches an app on that was switched off, which the merchant cannot do. The apps of a suspended merchant stay
  // suspended.
  defineOperation({
    name: 'merchants.switch-app-on',
    scope: 'operator',
    permission: 'operate',
    stepUp: true,
    request: strictObject({ app_id: f.appId, reason: f.reason }),
    response: strictObject({}),
  }),
  // Deletes a merchant that signed up, is suspended and never had an app. Accounts of its people and entries of the
  // audit log stay.
  defineOperation({
    name: 'merchants.delete',
    scope: 'operator',
    permission: 'operate',
    stepUp: true,
    request: strictObject({ subject_merchant_id: f.merchantId, reason: f.reason }),
    response: strictObject({}),
  }),
] as const;
