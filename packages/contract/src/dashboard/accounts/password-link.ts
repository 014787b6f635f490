// A new password by a mailed link, for people who forgot the old one.
import Type from 'typebox';
import { strictObject } from '../../fields/strict-object.ts';
import { emailField } from '../email-field.ts';
import { defineOperation } from '../operation.ts';
import { signInFields } from '../session.ts';

/** The operations of subject password-link. A gateway that sends no mails does not have them. */
export const passwordLinkOperations = [
  // Gives the same answer whether the e-mail has an account or not. An e-mail without an account gets no mail.
  defineOperation({
    name: 'password-link.begin',
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
    name: 'password-link.read',
    scope: 'anyone',
    permission: null,
    stepUp: false,
    request: strictObject({ token: signInFields.token }),
    response: strictObject({ email: Type.String() }),
  }),
  // The link replaces the old password only: the next stage is the one after a sign-in by password. All sessions of the
  // person end.
  defineOperation({
    name: 'password-link.accept',
    scope: 'anyone',
    permission: null,
    stepUp: false,
    request: strictObject({ token: signInFields.token, password: signInFields.newPassword }),
    response: strictObject({ stage: signInFields.stage }),
  }),
] as const;
