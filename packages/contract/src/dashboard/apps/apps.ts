// Apps: what a merchant integrates, with AppKey, webhook address, and the rules of orders and payouts.
import Type from 'typebox';
import { fields } from '../../fields/fields.ts';
import { MAX_PAYER_CONTACT } from '../../fields/payer-contact.ts';
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
  /** The shop marks the app as a test, without real money. No currency is refused for that. */
  is_test: Type.Boolean(),
});

const payoutRules = {
  fee_mode: f.feeMode,
  max_usd: f.limitUsd,
  max_day_usd: f.limitUsd,
  /** Payouts above this worth need the approval of a second person. */
  approval_above_usd: f.limitUsd,
  address_list: Type.Boolean(),
  /** How long an address must be on the list before money is sent to it. */
  cooling_seconds: Type.Integer({ minimum: 0, maximum: 2_592_000, 'x-expects': 'seconds, at most 30 days' }),
};

const network = {
  /** Addresses and ranges, such as 203.0.113.0/24, that the API accepts calls from; an empty list accepts all. */
  allowed_ranges: Type.Array(Type.String({ minLength: 1, maxLength: 49 }), {
    maxItems: 50,
    'x-expects': 'at most 50 addresses or ranges such as 203.0.113.0/24',
  }),
  /** The least worth at one address that is moved and counts as operable; null leaves it to the operator. */
  min_operable_usd: f.limitUsd,
};

const page = {
  /** `#rrggbb`, or null for the default colour. */
  accent: f.nullable(
    Type.String({ pattern: '^#[0-9a-f]{6}$', maxLength: 7, 'x-expects': 'null or #rrggbb' }),
  ),
  /** Whom payers ask, by the rule of `payerContactLink`, or null. */
  contact: f.nullable(Type.String({ maxLength: MAX_PAYER_CONTACT })),
  /** Origins that may frame the payment page. */
  frame_origins: Type.Array(Type.String({ maxLength: 255 }), { maxItems: 10 }),
  /** A mark only: pages of the app may pay from the gateway's faucet. Real coins are accepted all the same. */
  is_test: Type.Boolean(),
};

const app = strictObject({
  ...appRow.properties,
  /**
   * The version of all settings here, of the AppKey and of the secret of one-time codes. A change names the version
   * that it is based on.
   */
  version: Type.String(),
  callback_url: f.nullable(Type.String()),
  tolerance_ppm: Type.Integer(),
  /** The time until which the AppKey from before the last rotation works; null where it no longer does. */
  previous_key_until: f.nullable(f.time),
  /** Currencies that the app does not take, although the gateway does. */
  currencies_off: Type.Array(f.currencyId),
  one_time_codes: Type.Boolean(),
  payout_rules: strictObject(payoutRules),
  /** The operator's limits for all apps of the merchant together, whatever is set here; null without limits. */
  merchant_limits: strictObject(f.merchantLimits),
  network: strictObject(network),
  page: strictObject(page),
  /** SHA-256 of the logo beside the name on the payment page; null where the page shows the first letter instead. */
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
/** The AppKey, which is shown this once and never again. */
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
    // Needs a step-up, because its AppKey can pay out, as a rotated one can. A repeated request with the same
    // `request_id` is answered with `already-made`, without the key.
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
    // Needs a step-up, because the API pays out with an AppKey.
    name: 'apps.rotate-key',
    scope: 'merchant',
    permission: 'administer',
    stepUp: true,
    request: strictObject({
      ...ofApp,
      /** Needed, because a second rotation would end the key that shops still use, whatever its grace. */
      version: f.version,
      /** How many seconds the old key still works; 0 ends it at once. */
      grace_seconds: Type.Integer({
        minimum: 0,
        maximum: 2_592_000,
        'x-expects': 'seconds, at most 30 days',
      }),
    }),
    response: shownOnce,
  }),
  // Fields that are left out stay as they are.
  defineOperation({
    name: 'apps.change',
    scope: 'merchant',
    permission: 'develop',
    stepUp: true,
    request: strictObject({
      ...ofApp,
      version: f.version,
      /** Only an operator can switch an app on again. */
      enabled: Type.Optional(Type.Boolean()),
      callback_url: Type.Optional(fields.webhookAddress('Where its webhooks go.')),
      /** An order that lacks at most this much counts as paid. Only people with permission `administer` can change it. */
      tolerance_ppm: Type.Optional(
        Type.Integer({ minimum: 0, maximum: 999_999, 'x-expects': 'parts per million from 0 to 999999' }),
      ),
      currencies_off: Type.Optional(Type.Array(f.currencyId, { maxItems: 1_000 })),
      page: Type.Optional(strictObject(page)),
    }),
    response: appAnswer,
  }),
  // With null, the payment page shows the first letter of the name instead.
  defineOperation({
    name: 'apps.change-logo',
    scope: 'merchant',
    permission: 'develop',
    stepUp: true,
    maxBodyBytes: 90_112,
    request: strictObject({ ...ofApp, version: f.version, logo: f.nullable(logo) }),
    response: appAnswer,
  }),
  // Changes the limits, the fee mode, and whether the app keeps to its address list.
  defineOperation({
    name: 'apps.change-payout-rules',
    scope: 'merchant',
    permission: 'administer',
    stepUp: true,
    request: strictObject({ ...ofApp, version: f.version, payout_rules: strictObject(payoutRules) }),
    response: appAnswer,
  }),
  // Changes where the API accepts calls of the app from, and the least worth of money that is moved.
  defineOperation({
    name: 'apps.change-network',
    scope: 'merchant',
    permission: 'administer',
    stepUp: true,
    request: strictObject({ ...ofApp, version: f.version, network: strictObject(network) }),
    response: appAnswer,
  }),
  // Switching on shows the address for an authenticator, this once. Switching on again makes a new secret.
  defineOperation({
    name: 'apps.switch-one-time-codes',
    scope: 'merchant',
    permission: 'administer',
    stepUp: true,
    request: strictObject({ ...ofApp, version: f.version, is_on: Type.Boolean() }),
    response: strictObject({ setup_url: f.nullable(Type.String()) }),
  }),
  // Finds out why a signature of the shop does not fit. The answer has neither a key nor a right signature.
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
      /**
       * The key that the signature fits: the current one, or the one before the last rotation; null where it fits none.
       */
      fits_key: f.nullable(Type.Enum(['current', 'previous'])),
      /** The mistakes in the form of the signature, and those that explain its value. */
      mistakes: Type.Array(Type.Enum(signatureMistakes)),
      body_bytes: Type.Integer(),
      body_hash: Type.String(),
      key_length: Type.Integer(),
      now: f.time,
    }),
  }),
  // Sends a made-up payment, signed with the AppKey as any other event is. Its number begins with `test_`.
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
          /** When the address has cooled, so that money can be sent to it. */
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
