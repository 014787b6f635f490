// Signing in and out, the second factor, the password, and the sessions of a person.
import Type from 'typebox';
import { fields } from '../fields/fields.ts';
import { strictObject } from '../fields/strict-object.ts';
import { nameField } from './dashboard-fields.ts';
import { emailField } from './email-field.ts';
import { assertion } from './passkeys.ts';
import { memberRoles, permissions, defineOperation } from './operation.ts';

/** Those that the dashboard and its mails are written in. */
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
/** How the person is called on the dashboard and in mails. */
const personName = nameField;
const token = Type.String({
  minLength: 20,
  maxLength: 128,
  pattern: '^[A-Za-z0-9_-]+$',
  'x-expects': 'a token',
});
const code = fields.oneTimeCode('The code that the authenticator shows now.');
const recoveryCodes = Type.Array(Type.String());

/** Where signing in is: a code is needed, an authenticator is to be set up first, or done. */
const stage = Type.Enum(['signed-out', 'code-needed', 'enrolment-needed', 'signed-in']);
const staged = strictObject({ stage });

/** What the first sign-in of every account asks for, whichever link it begins with. */
export const signInFields = { token, personName, newPassword, stage, language } as const;

const membership = strictObject({
  merchant_id: Type.String(),
  merchant_name: Type.String(),
  role: Type.Enum([...memberRoles]),
  permissions: Type.Array(Type.Enum([...permissions])),
  /** Nothing new is made for the merchant until an operator resumes it. */
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
      /** The demo: made-up prices, and no second factor. */
      demo: Type.Boolean(),
      /** Who may open an account: anybody, who was invited, or who was invited by the command on the host. */
      sign_up: Type.Enum(['open', 'invited', 'closed']),
      /** Whether a link to a new password can be mailed. */
      password_links: Type.Boolean(),
      /** Where the docs of this gateway are. */
      docs_url: Type.String(),
      /** The gateway's clock, Unix seconds: that of a browser may be wrong. */
      now: Type.Integer(),
      /** Of the person, once the password was shown. */
      factors: strictObject({
        has_authenticator: Type.Boolean(),
        passkeys: Type.Integer(),
        /** Whether the dashboard's address is one that browsers make passkeys for. */
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
  // The page says which language it is in, and mails to the person are written in it. No change that the audit log keeps.
  defineOperation({
    name: 'session.choose-language',
    scope: 'person',
    permission: null,
    stepUp: false,
    request: strictObject({ language }),
    response: nothing,
  }),
  // With the code or a passkey; with the password where the person has neither, which only the demo allows.
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
  // Also in stage enrolment-needed, which has no second factor yet.
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
      /** Whether there is an account of this e-mail: its owner signs in, and joins. */
      has_account: Type.Boolean(),
    }),
  }),
  // Makes the account, and signs in.
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
  // Of a person who is signed in with the e-mail of the invitation.
  defineOperation({
    name: 'invitation.join',
    scope: 'person',
    permission: null,
    stepUp: true,
    request: strictObject({ token }),
    response: nothing,
  }),
] as const;
