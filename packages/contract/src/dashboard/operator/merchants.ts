// For operators: merchants, what they pay and are allowed, and stopping one.
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
  /** Its owner signed up without an invitation. */
  is_from_sign_up: Type.Boolean(),
  apps: Type.Integer(),
  /** The merchant cannot raise them; null is without a limit. */
  limits: strictObject(f.merchantLimits),
  /** Every app of it is switched off. */
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
  // Asked again by the same `request_id`, it answers the merchant that is there; with an invited owner it is `already-made`.
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
      /** Who will own it: the one who asks at once, anybody else by an invitation. */
      owner_email: Type.Optional(emailField),
    }),
    response: strictObject({
      merchant: merchantRow,
      /** Of the owner; null where no other person is to own it. */
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
  // For payouts and orders made from now on.
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
  // While it is suspended, none of its apps gets new orders, codes and payouts, also one that it makes then. What is open
  // goes on.
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
  // One app that was switched off; a merchant cannot do that. A suspended one stays suspended.
  defineOperation({
    name: 'merchants.switch-app-on',
    scope: 'operator',
    permission: 'operate',
    stepUp: true,
    request: strictObject({ app_id: f.appId, reason: f.reason }),
    response: strictObject({}),
  }),
  // One that signed up, is suspended and never had an app. Accounts of its people and entries of the audit log stay.
  defineOperation({
    name: 'merchants.delete',
    scope: 'operator',
    permission: 'operate',
    stepUp: true,
    request: strictObject({ subject_merchant_id: f.merchantId, reason: f.reason }),
    response: strictObject({}),
  }),
] as const;
