// Signing in and out, the second factor, the password, and the sessions of a person.
import Type from 'typebox';
import { fields } from '../fields/fields.ts';
import { strictObject } from '../fields/strict-object.ts';
import { nameField } from './dashboard-fields.ts';
import { emailField } from './email-field.ts';
import { assertion } from './passkeys.ts';
import { memberRoles, permissions, defineOperation } from './operation.ts';

/** The languages of the dashboard and of its mails. */
export const dashboardLanguages = ['en', 'de', 'es', 'fr', 'pt', 'ru', 'tr', 'zh', 'ar'] as const;
const language = Type.Enum([...dashboardLanguages], {
  'x-expects': `one of ${dashboardLanguages.join(', ')}`,
});

const nothing = strictObject({});
const password = Type.String({ minLength: 1, maxLength: 256, 'x-expects': 'at most 256 characters' });
const newPassword = Type.String({
  minLength: 12,
  maxLength: 256,
  'x-expects': 'of 12 to 256 characters',
});
/** The person's name on the dashboard and in mails. */
const personName = nameField;
const token = Type.String({
  minLength: 20,
  maxLength: 128,
  pattern: '^[A-Za-z0-9_-]+$',
  'x-expects': 'a token',
});
const code = fields.oneTimeCode('The code that the authenticator shows now.');
const recoveryCodes = Type.Array(Type.String());

/** How far signing in has come: a code is needed, an authenticator must be set up first, or it is done. */
const stage = Type.Enum(['signed-out', 'code-needed', 'enrolment-needed', 'signed-in']);
const staged = strictObject({ stage });

/** The fields of the first sign-in of every account, whichever link it begins with. */
export const signInFields = { token, personName, newPassword, stage, language } as const;

const membership = strictObject({
  merchant_id: Type.String(),
  merchant_name: Type.String(),
  role: Type.Enum([...memberRoles]),
  permissions: Type.Array(Type.Enum([...permissions])),
  /** True while an operator has suspended the merchant: nothing new is made for it. */
  is_suspended: Type.Boolean(),
});

/** The operations of subject session, sessions, password, totp, recovery-codes and invitation. */
export const sessionOperations = [
  defineOperation({
    name: 'session.read',
    scope: 'anyone',
    permission: null,
    stepUp: false,
    request: nothing,
    response: strictObject({
      stage,
      /** True in the demo, which has made-up prices and needs no second factor. */
      demo: Type.Boolean(),
      /** Who may open an account: anybody, invited people, or only people invited by the command on the host. */
      sign_up: Type.Enum(['open', 'invited', 'closed']),
      /** Whether a link to a new password can be mailed. */
      password_links: Type.Boolean(),
      /** Where the docs of this gateway are. */
      docs_url: Type.String(),
      /** The gateway's clock, in Unix seconds, because a browser's clock may be wrong. */
      now: Type.Integer(),
      /** The person's second factors, shown once the password was right. */
      factors: strictObject({
        has_authenticator: Type.Boolean(),
        passkeys: Type.Integer(),
        /** Whether browsers make passkeys for the dashboard's address. */
        takes_passkeys: Type.Boolean(),
      }),
      /** Null until signed in. */
      person: Type.Union([
        Type.Null(),
        strictObject({
          person_id: Type.String(),
          email: Type.String(),
          name: Type.String(),
          is_operator: Type.Boolean(),
          has_authenticator: Type.Boolean(),
          recovery_codes_left: Type.Integer(),
          /** Unix seconds until which no new step-up is needed; 0 where there is none. */
          step_up_until: Type.Integer(),
          memberships: Type.Array(membership),
        }),
      ]),
    }),
  }),
  defineOperation({
    name: 'session.sign-in',
    scope: 'anyone',
    permission: null,
    stepUp: false,
    request: strictObject({ email: emailField, password }),
    response: staged,
  }),
  defineOperation({
    name: 'session.enter-code',
    scope: 'anyone',
    permission: null,
    stepUp: false,
    request: strictObject({ code }),
    response: staged,
  }),
  defineOperation({
    name: 'session.enter-passkey',
    scope: 'anyone',
    permission: null,
    stepUp: false,
    request: strictObject({ assertion }),
    response: staged,
  }),
  defineOperation({
    name: 'session.enter-recovery-code',
    scope: 'anyone',
    permission: null,
    stepUp: false,
    request: strictObject({
      recovery_code: Type.String({ minLength: 8, maxLength: 40, 'x-expects': 'a recovery code' }),
    }),
    response: staged,
  }),
  defineOperation({
    name: 'session.sign-out',
    scope: 'anyone',
    permission: null,
    stepUp: false,
    request: nothing,
    response: staged,
  }),
  // Sets the language of the page and of mails to the person. The audit log does not keep this change.
  defineOperation({
    name: 'session.choose-language',
    scope: 'person',
    permission: null,
    stepUp: false,
    request: strictObject({ language }),
    response: nothing,
  }),
  // Needs a code or a passkey. Where the person has neither, which only the demo allows, the password is enough.
  defineOperation({
    name: 'session.step-up',
    scope: 'person',
    permission: null,
    stepUp: false,
    request: strictObject({
      code: Type.Optional(code),
      assertion: Type.Optional(assertion),
      password: Type.Optional(password),
    }),
    response: strictObject({ step_up_until: Type.Integer() }),
  }),
  defineOperation({
    name: 'sessions.list',
    scope: 'person',
    permission: null,
    stepUp: false,
    request: nothing,
    response: strictObject({
      sessions: Type.Array(
        strictObject({
          session_id: Type.String(),
          is_current: Type.Boolean(),
          created_at: Type.Integer(),
          seen_at: Type.Integer(),
          expires_at: Type.Integer(),
          address: Type.String(),
          user_agent: Type.String(),
        }),
      ),
    }),
  }),
  defineOperation({
    name: 'sessions.revoke',
    scope: 'person',
    permission: null,
    stepUp: false,
    request: strictObject({ session_id: fields.tradeNo('The session to end.') }),
    response: nothing,
  }),
  defineOperation({
    name: 'sessions.revoke-others',
    scope: 'person',
    permission: null,
    stepUp: false,
    request: nothing,
    response: strictObject({ ended: Type.Integer() }),
  }),
  // Ends every other session of the person.
  defineOperation({
    name: 'password.change',
    scope: 'person',
    permission: null,
    stepUp: true,
    request: strictObject({ password, new_password: newPassword }),
    response: nothing,
  }),
  // Also works in stage enrolment-needed, where there is no second factor yet.
  defineOperation({
    name: 'totp.begin',
    scope: 'anyone',
    permission: null,
    stepUp: false,
    request: nothing,
    response: strictObject({ setup_url: Type.String(), secret: Type.String() }),
  }),
  defineOperation({
    name: 'totp.confirm',
    scope: 'anyone',
    permission: null,
    stepUp: false,
    request: strictObject({ code }),
    response: strictObject({ stage, recovery_codes: recoveryCodes }),
  }),
  defineOperation({
    name: 'recovery-codes.renew',
    scope: 'person',
    permission: null,
    stepUp: true,
    request: nothing,
    response: strictObject({ recovery_codes: recoveryCodes }),
  }),
  defineOperation({
    name: 'invitation.read',
    scope: 'anyone',
    permission: null,
    stepUp: false,
    request: strictObject({ token }),
    response: strictObject({
      email: Type.String(),
      /** Null for an operator. */
      merchant_name: Type.Union([Type.Null(), Type.String()]),
      role: Type.Union([Type.Null(), Type.Enum([...memberRoles])]),
      /** Whether this e-mail has an account already: its owner signs in and joins. */
      has_account: Type.Boolean(),
    }),
  }),
  // Makes the account and signs the person in.
  defineOperation({
    name: 'invitation.accept',
    scope: 'anyone',
    permission: null,
    stepUp: false,
    request: strictObject({
      token,
      name: personName,
      password: newPassword,
      language: Type.Optional(language),
    }),
    response: staged,
  }),
  // For a person who is signed in with the e-mail of the invitation.
  defineOperation({
    name: 'invitation.join',
    scope: 'person',
    permission: null,
    stepUp: true,
    request: strictObject({ token }),
    response: nothing,
  }),
] as const;
