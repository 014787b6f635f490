// Passkeys of a person: a second factor that a device signs with, where a code would be typed.
import Type from 'typebox';
import { fields } from '../fields/fields.ts';
import { strictObject } from '../fields/strict-object.ts';
import { defineOperation } from './operation.ts';

const nothing = strictObject({});
/** Base64url; the longest are attestations with their certificates. */
const bytes = (most: number) =>
  Type.String({ minLength: 1, maxLength: most, pattern: '^[A-Za-z0-9_-]+$', 'x-expects': 'base64url' });
const passkeyId = bytes(1_400);
const transports = Type.Array(
  Type.String({ maxLength: 20, pattern: '^[a-z-]+$', 'x-expects': 'a way to reach a passkey' }),
  { maxItems: 10 },
);
const passkeyName = fields.label('How the person calls the passkey.');
const known = Type.Array(strictObject({ passkey_id: passkeyId, transports }));

/** What a passkey signed: WebAuthn's AuthenticatorAssertionResponse. */
export const assertion = strictObject({
  passkey_id: passkeyId,
  client_data: bytes(8_000),
  authenticator_data: bytes(8_000),
  signature: bytes(2_000),
});

/** The operations of subject passkeys. */
export const passkeyOperations = [
  defineOperation({
    name: 'passkeys.list',
    scope: 'person',
    permission: null,
    stepUp: false,
    request: nothing,
    response: strictObject({
      passkeys: Type.Array(
        strictObject({
          passkey_id: passkeyId,
          name: Type.String(),
          created_at: Type.Integer(),
          used_at: Type.Union([Type.Null(), Type.Integer()]),
        }),
      ),
    }),
  }),
  // Works as totp.begin does: also in stage enrolment-needed, and with a fresh second factor where the person has one.
  defineOperation({
    name: 'passkeys.begin-adding',
    scope: 'anyone',
    permission: null,
    stepUp: false,
    request: nothing,
    response: strictObject({
      challenge: Type.String(),
      rp_id: Type.String(),
      user_id: Type.String(),
      user_name: Type.String(),
      algorithms: Type.Array(Type.Integer()),
      /** The person's passkeys. A device that has one of them makes no second one. */
      known,
    }),
  }),
  defineOperation({
    name: 'passkeys.add',
    scope: 'anyone',
    permission: null,
    stepUp: false,
    request: strictObject({
      name: passkeyName,
      passkey_id: passkeyId,
      client_data: bytes(8_000),
      attestation: bytes(32_000),
      transports,
    }),
    response: strictObject({
      stage: Type.Enum(['signed-in']),
      /** Empty where the person has recovery codes already. */
      recovery_codes: Type.Array(Type.String()),
    }),
  }),
  defineOperation({
    name: 'passkeys.rename',
    scope: 'person',
    permission: null,
    stepUp: false,
    request: strictObject({ passkey_id: passkeyId, name: passkeyName }),
    response: nothing,
  }),
  // Refuses to remove the last second factor.
  defineOperation({
    name: 'passkeys.remove',
    scope: 'person',
    permission: null,
    stepUp: true,
    request: strictObject({ passkey_id: passkeyId }),
    response: nothing,
  }),
  // For stage code-needed, or for a step-up of a person who is signed in.
  defineOperation({
    name: 'passkeys.begin-showing',
    scope: 'anyone',
    permission: null,
    stepUp: false,
    request: nothing,
    response: strictObject({ challenge: Type.String(), rp_id: Type.String(), known }),
  }),
] as const;
