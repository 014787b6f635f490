// Apps: what a merchant integrates, with AppKey, webhook address, and the rules of orders and payouts.
import Type from 'typebox';
import { fields } from '../../fields/fields.ts';
import { strictObject } from '../../fields/strict-object.ts';
import { dashboardFields as f } from '../dashboard-fields.ts';
import { defineOperation } from '../operation.ts';

const kind = Type.Enum(['PAYMENT', 'QR_CODE'], { 'x-expects': 'PAYMENT or QR_CODE' });

const appRow = strictObject({
  app_id: Type.String(),
  name: Type.String(),
  kind,
  enabled: Type.Boolean(),
  created_at: f.time,
  /** Its shop says that no real money is meant. No currency is refused for it. */
  is_test: Type.Boolean(),
});

const payoutRules = {
  fee_mode: f.feeMode,
  max_usd: f.limitUsd,
  max_day_usd: f.limitUsd,
  /** Above this a second person has to approve. */
  approval_above_usd: f.limitUsd,
  address_list: Type.Boolean(),
  /** How long an address is on the list before money is sent there. */
  cooling_seconds: Type.Integer({ minimum: 0, maximum: 2_592_000, 'x-expects': 'seconds, at most 30 days' }),
};

const network = {
  /** Addresses and ranges such as 203.0.113.0/24 that the API answers to; none means all. */
  allowed_ranges: Type.Array(Type.String({ minLength: 1, maxLength: 49 }), {
    maxItems: 50,
    'x-expects': 'at most 50 addresses or ranges such as 203.0.113.0/24',
  }),
  /** What lies at one address is moved, and counts as operable, from this value on; null leaves it to the operator. */
  min_operable_usd: f.limitUsd,
};

const page = {
  /** `#rrggbb`, or null for the colour of the house. */
  accent: f.nullable(
    Type.String({ pattern: '^#[0-9a-f]{6}$', maxLength: 7, 'x-expects': 'null or #rrggbb' }),
  ),
  /** An e-mail or web address that payers see, or null. */
  contact: f.nullable(fields.label('Whom payers ask.')),
  /** Origins that may frame the payment page. */
  frame_origins: Type.Array(Type.String({ maxLength: 255 }), { maxItems: 10 }),
  /** A mark alone: its pages may pay from the faucet of the gateway. Real coins are taken all the same. */
  is_test: Type.Boolean(),
};

const app = strictObject({
  ...appRow.properties,
  /** Of all settings here, the AppKey and the secret of one-time codes; a change names the version that it was made from. */
  version: Type.String(),
  callback_url: f.nullable(Type.String()),
  tolerance_ppm: Type.Integer(),
  /** Until when the AppKey before the last rotation works on; null where it does not. */
  previous_key_until: f.nullable(f.time),
  /** Those that the app does not take, although the gateway does. */
  currencies_off: Type.Array(f.currencyId),
  one_time_codes: Type.Boolean(),
  payout_rules: strictObject(payoutRules),
  /** What the operator allows all apps of the merchant together, whatever is set here; null without. */
  merchant_limits: strictObject(f.merchantLimits),
  network: strictObject(network),
  page: strictObject(page),
  /** SHA-256 of the picture beside the name on the payment page; null where the first letter stands there. */
  logo_digest: f.nullable(Type.String()),
});

/** In base64: 64 kB at most. */
const logo = Type.String({
  minLength: 4,
  maxLength: 87_384,
  pattern: '^[A-Za-z0-9+/]+={0,2}$',
  'x-expects': 'null, or a picture of at most 64 kB in base64',
});

const signatureMistakes = [
  'timestamp-form',
  'timestamp-old',
  'signature-form',
  'newline-missing',
  'newline-added',
  'line-ends',
  'other-json',
  'empty-body',
  'timestamp-missing',
  'timestamp-milliseconds',
  'order',
  'key-missing',
  'plain-hash',
  'key-decoded',
] as const;

const ofApp = { merchant_id: f.merchantId, app_id: f.appId };
const appAnswer = strictObject({ app });
/** Shown this once, and never again. */
const shownOnce = strictObject({ app_id: Type.String(), app_key: Type.String() });

/** The operations of subject apps. */
export const appOperations = [
  defineOperation({
    name: 'apps.list',
    scope: 'merchant',
    permission: 'view',
    stepUp: false,
    request: strictObject({ merchant_id: f.merchantId }),
    response: strictObject({ apps: Type.Array(appRow) }),
  }),
  defineOperation({
    name: 'apps.read',
    scope: 'merchant',
    permission: 'view',
    stepUp: false,
    request: strictObject(ofApp),
    response: appAnswer,
  }),
  defineOperation({
    // Its AppKey pays out, as one that is rotated does. Asked again by the same `request_id`, it is `already-made`, without the key.
    name: 'apps.create',
    scope: 'merchant',
    permission: 'administer',
    stepUp: true,
    request: strictObject({
      merchant_id: f.merchantId,
      request_id: f.requestId,
      name: fields.label('How the app is called.'),
      kind,
      callback_url: Type.Optional(fields.webhookAddress('Where its webhooks go.')),
    }),
    response: shownOnce,
  }),
  defineOperation({
    // With an AppKey the API pays out.
    name: 'apps.rotate-key',
    scope: 'merchant',
    permission: 'administer',
    stepUp: true,
    request: strictObject({
      ...ofApp,
      /** A second rotation would end the key that shops still use, whatever its grace. */
      version: f.version,
      /** How long the old key works on; 0 ends it at once. */
      grace_seconds: Type.Integer({
        minimum: 0,
        maximum: 2_592_000,
        'x-expects': 'seconds, at most 30 days',
      }),
    }),
    response: shownOnce,
  }),
  // What is left out stays.
  defineOperation({
    name: 'apps.change',
    scope: 'merchant',
    permission: 'develop',
    stepUp: true,
    request: strictObject({
      ...ofApp,
      version: f.version,
      /** An app that is off is switched on again by an operator alone. */
      enabled: Type.Optional(Type.Boolean()),
      callback_url: Type.Optional(fields.webhookAddress('Where its webhooks go.')),
      /** Changed by who administers alone: an order that lacks so much counts as paid. */
      tolerance_ppm: Type.Optional(
        Type.Integer({ minimum: 0, maximum: 999_999, 'x-expects': 'parts per million from 0 to 999999' }),
      ),
      currencies_off: Type.Optional(Type.Array(f.currencyId, { maxItems: 1_000 })),
      page: Type.Optional(strictObject(page)),
    }),
    response: appAnswer,
  }),
  // With null the first letter of the name stands there.
  defineOperation({
    name: 'apps.change-logo',
    scope: 'merchant',
    permission: 'develop',
    stepUp: true,
    maxBodyBytes: 90_112,
    request: strictObject({ ...ofApp, version: f.version, logo: f.nullable(logo) }),
    response: appAnswer,
  }),
  // Limits, fee mode, address list on or off.
  defineOperation({
    name: 'apps.change-payout-rules',
    scope: 'merchant',
    permission: 'administer',
    stepUp: true,
    request: strictObject({ ...ofApp, version: f.version, payout_rules: strictObject(payoutRules) }),
    response: appAnswer,
  }),
  // From where the API answers the app, and from which value on its money is moved.
  defineOperation({
    name: 'apps.change-network',
    scope: 'merchant',
    permission: 'administer',
    stepUp: true,
    request: strictObject({ ...ofApp, version: f.version, network: strictObject(network) }),
    response: appAnswer,
  }),
  // Switched on, the address for an authenticator is shown this once; switched on again, with a new secret.
  defineOperation({
    name: 'apps.switch-one-time-codes',
    scope: 'merchant',
    permission: 'administer',
    stepUp: true,
    request: strictObject({ ...ofApp, version: f.version, is_on: Type.Boolean() }),
    response: strictObject({ setup_url: f.nullable(Type.String()) }),
  }),
  // Why a signature of the shop does not fit. Neither a key nor a right signature is in the answer.
  defineOperation({
    name: 'apps.check-signature',
    scope: 'merchant',
    permission: 'develop',
    stepUp: true,
    request: strictObject({
      ...ofApp,
      timestamp: Type.String({ maxLength: 32, 'x-expects': 'X-Timestamp as it was sent' }),
      signature: Type.String({ maxLength: 256, 'x-expects': 'X-Sign as it was sent' }),
      body: Type.String({
        maxLength: 32_000,
        'x-expects': 'the body as it was sent, at most 32,000 characters',
      }),
    }),
    response: strictObject({
      /** The key that it fits: as it is now, or as it was before the last rotation; null where it fits none. */
      fits_key: f.nullable(Type.Enum(['current', 'previous'])),
      /** What is wrong by its form, and what made the signature what it is. */
      mistakes: Type.Array(Type.Enum(signatureMistakes)),
      body_bytes: Type.Integer(),
      body_hash: Type.String(),
      key_length: Type.Integer(),
      now: f.time,
    }),
  }),
  // A made-up payment, signed with the AppKey and sent as any other event is. Its number begins with `test_`.
  defineOperation({
    name: 'apps.send-test-event',
    scope: 'merchant',
    permission: 'develop',
    stepUp: false,
    request: strictObject(ofApp),
    response: strictObject({ event_id: Type.String() }),
  }),
  defineOperation({
    name: 'address-list.list',
    scope: 'merchant',
    permission: 'view',
    stepUp: false,
    request: strictObject(ofApp),
    response: strictObject({
      addresses: Type.Array(
        strictObject({
          family: Type.Enum(['evm', 'tron']),
          address: Type.String(),
          label: Type.String(),
          added_by: Type.String(),
          added_at: f.time,
          /** When it has cooled. */
          usable_from: f.time,
        }),
      ),
    }),
  }),
  defineOperation({
    name: 'address-list.add',
    scope: 'merchant',
    permission: 'administer',
    stepUp: true,
    request: strictObject({
      ...ofApp,
      family: Type.Enum(['evm', 'tron'], { 'x-expects': 'evm or tron' }),
      address: fields.address('Where money may go.'),
      label: fields.label('Whose it is.'),
    }),
    response: strictObject({ usable_from: f.time }),
  }),
  defineOperation({
    name: 'address-list.remove',
    scope: 'merchant',
    permission: 'administer',
    stepUp: true,
    request: strictObject({
      ...ofApp,
      family: Type.Enum(['evm', 'tron'], { 'x-expects': 'evm or tron' }),
      address: fields.address('As the list shows it.'),
    }),
    response: strictObject({}),
  }),
] as const;
