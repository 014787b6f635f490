// A new password for who forgot the old one, by a link that is mailed.
import Type from 'typebox';
import { strictObject } from '../../fields/strict-object.ts';
import { emailField } from '../email-field.ts';
import { defineOperation } from '../operation.ts';
import { signInFields } from '../session.ts';

/** The operations of subject password-link. On a gateway that sends no mails there is nothing of these names. */
export const passwordLinkOperations = [
  // Answers alike whether there is an account of the e-mail or not. Who has none is not mailed.
  defineOperation({
    name: 'password-link.begin',
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
    name: 'password-link.read',
    scope: 'anyone',
    permission: null,
    stepUp: false,
    request: strictObject({ token: signInFields.token }),
    response: strictObject({ email: Type.String() }),
  }),
  // Stands for the old password alone: the stage is the one that a sign-in by password would have. Ends every session of the person.
  defineOperation({
    name: 'password-link.accept',
    scope: 'anyone',
    permission: null,
    stepUp: false,
    request: strictObject({ token: signInFields.token, password: signInFields.newPassword }),
    response: strictObject({ stage: signInFields.stage }),
  }),
] as const;
