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
  /** As it was asked for. */
  amount: f.amount,
  /** What the recipient gets. */
  receipt: f.amount,
  /** Service charge and network fee together. */
  cost: f.amount,
  /** What leaves the balance. */
  reserved: f.amount,
  to_address: Type.String(),
  /** Its name on the address list; null where it has none. */
  to_label: f.nullable(Type.String()),
  /** The person who asked for it here; null where the API did. */
  asked_by: f.nullable(strictObject({ person_id: Type.String(), name: Type.String() })),
  needs_approval: Type.Boolean(),
  /** Until when the newest approval holds; null before the first. */
  approved_until: f.nullable(f.time),
  /** Nothing was made of it yet, so it can be cancelled. */
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
      /** Only those that wait for a second person. */
      to_approve: Type.Optional(Type.Boolean()),
      currency_id: Type.Optional(f.currencyId),
      /** Asked for at or after this time. */
      from: f.optionalTime,
      /** Asked for before this time. */
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
      /** The most that its transaction may cost unless an approver says otherwise. */
      fee_cap_currency_id: f.currencyId,
      fee_cap: f.amount,
      /** Of what sends an order or a receipt back: who decided that, and why; null where it sends back neither. */
      refund: f.nullable(
        strictObject({
          /** Null where it sends back a receipt that counts for no order. */
          order_trade_no: f.nullable(Type.String()),
          by: Type.String(),
          reason: Type.String(),
        }),
      ),
      /** Why it waits: the words for a person; null where it does not. */
      waits_for: f.nullable(Type.Enum(['approval', 'chain', 'currency', 'payer'])),
      timeline: payoutTimeline,
    }),
  }),
  // What it would cost now. Nothing is bound.
  defineOperation({
    name: 'payouts.quote',
    scope: 'merchant',
    permission: 'pay-out',
    stepUp: false,
    request: strictObject({
      ...wanted,
      /** An order of the app, paid or timed out, that it sends back, part of it or all. */
      refund_of: Type.Optional(f.tradeNo),
    }),
    response: strictObject({
      /** When it was priced. */
      now: f.time,
      ...cost,
      fee_mode: f.feeMode,
      value_usd: f.valueUsd,
      operable: f.amount,
      operable_after: f.signedAmount,
      needs_approval: Type.Boolean(),
      /** Of the last 24 hours with this one, against the limit; null where there is no limit. */
      day_value_usd: f.nullable(Type.String()),
      day_limit_usd: f.nullable(Type.String()),
      /** What would refuse it as things stand; null where nothing does. */
      refusal: f.nullable(
        strictObject({ code: Type.String(), field: Type.String(), message: Type.String() }),
      ),
      /** The address on the list of the app; null where it is not there. */
      listed: f.nullable(strictObject({ label: Type.String(), usable_from: f.time })),
    }),
  }),
  defineOperation({
    name: 'payouts.create',
    scope: 'merchant',
    permission: 'pay-out',
    stepUp: true,
    request: strictObject({
      ...wanted,
      /** As `refund_of` of the quote, and why. */
      refund: Type.Optional(strictObject({ trade_no: f.tradeNo, reason: f.reason })),
      request_id: f.requestId,
      /** The cost that was shown: a payout that would cost more by now is answered with `changed`. */
      most_cost: fields.amountFromZero('Service charge and network fee that the person saw.'),
      /** Who bore it then: where the app's rules say otherwise by now, the answer is `changed` as well. */
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
  // The second person who is asked says no: it ends as a cancelled one. Never one's own.
  defineOperation({
    name: 'payouts.decline',
    scope: 'merchant',
    permission: 'approve',
    stepUp: false,
    request: strictObject({ merchant_id: f.merchantId, trade_no: f.tradeNo, reason: f.reason }),
    response: strictObject({ payout: payoutRow }),
  }),
  // Exactly what an approver would sign. The page makes the bytes itself from `signed`, and compares them with `bytes`.
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
      /** How often money went to this address before, and since when the list has it. */
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
      /** Of these bytes, SHA-256, hexadecimal: what a person compares. */
      bytes_hash: Type.String(),
    }),
  }),
  // The Ed25519 signature of the approver's own key, made in the browser. Never of one's own payout.
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
      /** As it was signed, in base units of the coin of the chain. */
      fee_cap: Type.String({ pattern: '^[1-9][0-9]{0,77}$', maxLength: 78, 'x-expects': 'base units' }),
      /** Of the bytes that were signed: where the payout reads otherwise by now, the answer is `changed`. */
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
