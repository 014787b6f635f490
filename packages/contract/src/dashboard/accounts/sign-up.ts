// Signing up without an invitation, where the operator has that open, and the mails that a demo catches.
import Type from 'typebox';
import { strictObject } from '../../fields/strict-object.ts';
import { dashboardFields as f } from '../dashboard-fields.ts';
import { emailField } from '../email-field.ts';
import { defineOperation } from '../operation.ts';
import { signInFields } from '../session.ts';

/** The operations of subject sign-up, and mails.list-caught. */
export const signUpOperations = [
  // Answers alike whether there is an account of the e-mail or not: what follows is in the mail.
  defineOperation({
    name: 'sign-up.begin',
    scope: 'anyone',
    permission: null,
    stepUp: false,
    request: strictObject({ email: emailField, language: Type.Optional(signInFields.language) }),
    response: strictObject({
      /** The demo: mails.list-caught shows the mail. */
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
  // Makes the account and the merchant that it owns, and signs in.
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
  // The newest first. On every gateway but a demo that catches its mails there is nothing of this name.
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
