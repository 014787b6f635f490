// Setting up a new gateway: its first operator by a link that works once, and what is still to do.
import Type from 'typebox';
import { fields } from '../../fields/fields.ts';
import { strictObject } from '../../fields/strict-object.ts';
import { dashboardFields as f } from '../dashboard-fields.ts';
import { emailField } from '../email-field.ts';
import { defineOperation } from '../operation.ts';
import { signInFields } from '../session.ts';

/** Whether the signer gives out public keys, which it does once it has a seed. */
const keysReady = Type.Boolean();

/** The operations of subjects setup-link and setup, and the test order that a demo pays itself. */
export const setupOperations = [
  defineOperation({
    name: 'setup-link.read',
    scope: 'anyone',
    permission: null,
    stepUp: false,
    request: strictObject({ token: signInFields.token }),
    response: strictObject({ keys_ready: keysReady }),
  }),
  // Makes the first operator and signs that person in. Every set-up link is invalid from then on.
  defineOperation({
    name: 'setup-link.accept',
    scope: 'anyone',
    permission: null,
    stepUp: false,
    request: strictObject({
      token: signInFields.token,
      email: emailField,
      name: signInFields.personName,
      password: signInFields.newPassword,
      language: Type.Optional(signInFields.language),
    }),
    response: strictObject({ stage: signInFields.stage }),
  }),
  defineOperation({
    name: 'setup.read',
    scope: 'operator',
    permission: 'operate',
    stepUp: false,
    request: strictObject({}),
    response: strictObject({
      keys_ready: keysReady,
      /** Whether any merchant has people. */
      has_members: Type.Boolean(),
      /** The faucet that pays test orders in the demo; "" on other gateways. */
      faucet_url: Type.String(),
    }),
  }),
  // Makes an order that the demo pays itself. Every other gateway refuses.
  defineOperation({
    name: 'orders.create-test',
    scope: 'merchant',
    permission: 'develop',
    stepUp: false,
    request: strictObject({ merchant_id: f.merchantId, app_id: f.appId, request_id: f.requestId }),
    response: strictObject({
      trade_no: fields.text('The number of the order.'),
      currency_id: f.currencyId,
      address: Type.String(),
      amount: f.amount,
    }),
  }),
] as const;
