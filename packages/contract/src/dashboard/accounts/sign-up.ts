// Signing up without an invitation, where the operator allows it, and the mails that a demo catches.
import Type from 'typebox';
import { strictObject } from '../../fields/strict-object.ts';
import { dashboardFields as f } from '../dashboard-fields.ts';
import { emailField } from '../email-field.ts';
import { defineOperation } from '../operation.ts';
import { signInFields } from '../session.ts';

/** The operations of subject sign-up, and mails.list-caught. */
export const signUpOperations = [
  // Gives the same answer whether the e-mail has an account or not. The mail says how to go on.
  defineOperation({
    name: 'sign-up.begin',
    scope: 'anyone',
    permission: null,
    stepUp: false,
    request: strictObject({ email: emailField, language: Type.Optional(signInFields.language) }),
    response: strictObject({
      /** True in the demo, where mails.list-caught shows the mail. */
      is_caught: Type.Boolean(),
    }),
  }),
  defineOperation({
    name: 'sign-up.read',
    scope: 'anyone',
    permission: null,
    stepUp: false,
    request: strictObject({ token: signInFields.token }),
    response: strictObject({ email: Type.String() }),
  }),
  // Makes the account and the merchant that it owns, and signs the person in.
  defineOperation({
    name: 'sign-up.accept',
    scope: 'anyone',
    permission: null,
    stepUp: false,
    request: strictObject({
      token: signInFields.token,
      merchant_name: f.merchantName,
      name: signInFields.personName,
      password: signInFields.newPassword,
      language: Type.Optional(signInFields.language),
    }),
    response: strictObject({ stage: signInFields.stage }),
  }),
  // Lists the newest first. Only a demo that catches its mails has this operation.
  defineOperation({
    name: 'mails.list-caught',
    scope: 'anyone',
    permission: null,
    stepUp: false,
    request: strictObject({}),
    response: strictObject({
      mails: Type.Array(
        strictObject({
          mail_id: Type.String(),
          at: f.time,
          recipient: Type.String(),
          subject: Type.String(),
          text: Type.String(),
        }),
      ),
    }),
  }),
] as const;
