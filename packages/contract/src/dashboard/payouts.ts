// Payouts: asked for, approved by a second person, cancelled, and the story of each.
import Type from 'typebox';
import { fields } from '../fields/fields.ts';
import { strictObject } from '../fields/strict-object.ts';
import { dashboardFields as f } from './dashboard-fields.ts';
import { payoutStatus, payoutTimeline } from './orders/timeline.ts';
import { defineOperation } from './operation.ts';

export const payoutRow = strictObject({
  trade_no: Type.String(),
  app_id: Type.String(),
  status: payoutStatus,
  currency_id: f.currencyId,
  /** The amount that was asked for. */
  amount: f.amount,
  /** The amount that the recipient gets. */
  receipt: f.amount,
  /** Service charge and network fee together. */
  cost: f.amount,
  /** The amount that leaves the balance. */
  reserved: f.amount,
  to_address: Type.String(),
  /** The address's name on the address list; null where it has none. */
  to_label: f.nullable(Type.String()),
  /** The person who asked for the payout on the dashboard; null where the API did. */
  asked_by: f.nullable(strictObject({ person_id: Type.String(), name: Type.String() })),
  needs_approval: Type.Boolean(),
  /** The end of the newest approval; null before the first. */
  approved_until: f.nullable(f.time),
  /** True while no transaction was made for the payout, so it can be cancelled. */
  can_cancel: Type.Boolean(),
  value_usd: f.valueUsd,
  create_time: f.time,
  end_time: f.nullable(f.time),
  tx_id: f.nullable(Type.String()),
});

const wanted = {
  merchant_id: f.merchantId,
  app_id: f.appId,
  currency_id: f.currencyId,
  amount: fields.positiveAmount('In whole tokens.'),
  to_address: fields.address("The recipient's address."),
};

const cost = {
  currency_id: f.currencyId,
  amount: f.amount,
  service_charge: f.amount,
  /** The network fee in the currency of the payout. */
  gas: f.amount,
  receipt: f.amount,
  reserved: f.amount,
  network_fee_currency_id: f.currencyId,
  network_fee: f.amount,
};

const approver = Type.String({
  pattern: '^[a-z][a-z0-9-]{0,31}$',
  maxLength: 32,
  'x-expects':
    "the approver's name in the signer's policy: a lower-case letter, then letters, digits and hyphens, at most 32",
});

/** The operations of subject payouts. */
export const payoutOperations = [
  // The newest first.
  defineOperation({
    name: 'payouts.list',
    scope: 'merchant',
    permission: 'view',
    stepUp: false,
    request: strictObject({
      merchant_id: f.merchantId,
      app_id: Type.Optional(f.appId),
      status: Type.Optional(payoutStatus),
      /** Only payouts that wait for a second person. */
      to_approve: Type.Optional(Type.Boolean()),
      currency_id: Type.Optional(f.currencyId),
      /** Payouts that were asked for at or after this time. */
      from: f.optionalTime,
      /** Payouts that were asked for before this time. */
      to: f.optionalTime,
      cursor: f.cursor,
      limit: f.limit,
    }),
    response: strictObject({
      payouts: Type.Array(payoutRow),
      next_cursor: f.nextCursor,
      searched_back_to: f.searchedBackTo,
    }),
  }),
  defineOperation({
    name: 'payouts.read',
    scope: 'merchant',
    permission: 'view',
    stepUp: false,
    request: strictObject({ merchant_id: f.merchantId, trade_no: f.tradeNo }),
    response: strictObject({
      now: f.time,
      payout: payoutRow,
      cost: strictObject(cost),
      /** The most that the payout's transaction may cost, unless an approver says otherwise. */
      fee_cap_currency_id: f.currencyId,
      fee_cap: f.amount,
      /** For a payout that sends back an order or a receipt: who decided that, and why. Null for other payouts. */
      refund: f.nullable(
        strictObject({
          /** Null where the payout sends back a receipt that counts for no order. */
          order_trade_no: f.nullable(Type.String()),
          by: Type.String(),
          reason: Type.String(),
        }),
      ),
      /** Why the payout waits: the page has words for each reason. Null where the payout does not wait. */
      waits_for: f.nullable(Type.Enum(['approval', 'chain', 'currency', 'payer'])),
      timeline: payoutTimeline,
    }),
  }),
  // The cost of a payout now. Nothing is reserved.
  defineOperation({
    name: 'payouts.quote',
    scope: 'merchant',
    permission: 'pay-out',
    stepUp: false,
    request: strictObject({
      ...wanted,
      /** An order of the app, paid or timed out, that the payout sends back in part or whole. */
      refund_of: Type.Optional(f.tradeNo),
    }),
    response: strictObject({
      /** The time of the quote. */
      now: f.time,
      ...cost,
      fee_mode: f.feeMode,
      value_usd: f.valueUsd,
      operable: f.amount,
      operable_after: f.signedAmount,
      needs_approval: Type.Boolean(),
      /**
       * The worth of the payouts of the last 24 hours, this one included, to compare with the limit. Null where there
       * is no limit.
       */
      day_value_usd: f.nullable(Type.String()),
      day_limit_usd: f.nullable(Type.String()),
      /** Why the payout would be refused as things stand; null where it would not be. */
      refusal: f.nullable(
        strictObject({ code: Type.String(), field: Type.String(), message: Type.String() }),
      ),
      /** The address's entry on the app's address list; null where it is not listed. */
      listed: f.nullable(strictObject({ label: Type.String(), usable_from: f.time })),
    }),
  }),
  // Which of these requests made a payout already, so that a page that was left knows it before it asks for prices.
  defineOperation({
    name: 'payouts.made',
    scope: 'merchant',
    permission: 'pay-out',
    stepUp: false,
    request: strictObject({
      merchant_id: f.merchantId,
      app_id: f.appId,
      request_ids: Type.Array(f.requestId, {
        minItems: 1,
        maxItems: 200,
        'x-expects': '1 to 200 request_ids',
      }),
    }),
    response: strictObject({
      made: Type.Array(
        strictObject({ request_id: Type.String(), trade_no: Type.String(), status: payoutStatus }),
      ),
    }),
  }),
  defineOperation({
    name: 'payouts.create',
    scope: 'merchant',
    permission: 'pay-out',
    stepUp: true,
    request: strictObject({
      ...wanted,
      /** The order, as in `refund_of` of the quote, and the reason. */
      refund: Type.Optional(strictObject({ trade_no: f.tradeNo, reason: f.reason })),
      request_id: f.requestId,
      /** The cost that the person saw. Where the payout would cost more by now, the answer is `changed`. */
      most_cost: fields.amountFromZero('Service charge and network fee that the person saw.'),
      /** Who was shown to bear the cost. Where the app's rules differ by now, the answer is `changed` too. */
      fee_mode: f.feeMode,
      otp_code: Type.Optional(fields.oneTimeCode('Where one-time codes are on for the app.')),
    }),
    response: strictObject({ payout: payoutRow }),
  }),
  defineOperation({
    name: 'payouts.cancel',
    scope: 'merchant',
    permission: 'pay-out',
    stepUp: false,
    request: strictObject({ merchant_id: f.merchantId, trade_no: f.tradeNo, reason: f.reason }),
    response: strictObject({ payout: payoutRow }),
  }),
  // The second person declines, and the payout is cancelled. People cannot decline payouts of their own.
  defineOperation({
    name: 'payouts.decline',
    scope: 'merchant',
    permission: 'approve',
    stepUp: false,
    request: strictObject({ merchant_id: f.merchantId, trade_no: f.tradeNo, reason: f.reason }),
    response: strictObject({ payout: payoutRow }),
  }),
  // Exactly what an approver would sign. The page makes the bytes itself from `signed` and compares them with `bytes`.
  defineOperation({
    name: 'payouts.approval',
    scope: 'merchant',
    permission: 'approve',
    stepUp: false,
    request: strictObject({
      merchant_id: f.merchantId,
      trade_no: f.tradeNo,
      approver,
      /** How long the approval shall hold. */
      hours: Type.Integer({ minimum: 1, maximum: 720, 'x-expects': 'an integer from 1 to 720' }),
    }),
    response: strictObject({
      payout: payoutRow,
      /** How often money was sent to this address before, and since when the list has the address. */
      to_used: f.cappedCount,
      to_listed_since: f.nullable(f.time),
      operable_after: f.amount,
      day_value_usd: f.nullable(Type.String()),
      day_limit_usd: f.nullable(Type.String()),
      max_fee_currency_id: f.currencyId,
      max_fee: f.amount,
      until: f.time,
      signed: strictObject({
        version: Type.String(),
        payout_id: Type.String(),
        chain_id: Type.Integer(),
        /** Canonical; empty for the coin of the chain. */
        contract: Type.String(),
        /** Canonical. */
        to: Type.String(),
        base_units: Type.String(),
        fee_cap: Type.String(),
        expiry: Type.Integer(),
        approver: Type.String(),
      }),
      /** Hexadecimal. */
      bytes: Type.String(),
      /** The SHA-256 of these bytes in hexadecimal, which a person compares. */
      bytes_hash: Type.String(),
    }),
  }),
  // Takes the Ed25519 signature of the approver's own key, made in the browser. People cannot approve their own
  // payouts.
  defineOperation({
    name: 'payouts.approve',
    scope: 'merchant',
    permission: 'approve',
    stepUp: true,
    request: strictObject({
      merchant_id: f.merchantId,
      trade_no: f.tradeNo,
      approver,
      until: fields.time('As it was signed.'),
      /** The fee cap that was signed, in base units of the coin of the chain. */
      fee_cap: Type.String({ pattern: '^[1-9][0-9]{0,77}$', maxLength: 78, 'x-expects': 'base units' }),
      /** The hash of the bytes that were signed. Where the payout has changed since, the answer is `changed`. */
      bytes_hash: Type.String({
        pattern: '^[0-9a-f]{64}$',
        maxLength: 64,
        'x-expects': '64 hexadecimal digits',
      }),
      signature: Type.String({
        pattern: '^[0-9a-f]{128}$',
        maxLength: 128,
        'x-expects': '128 hexadecimal digits',
      }),
    }),
    response: strictObject({ payout: payoutRow }),
  }),
] as const;
