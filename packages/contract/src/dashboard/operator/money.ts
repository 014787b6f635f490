// For operators: payouts and receipts of all merchants, wallets, senders, and whether the books agree with the chains.
import Type from 'typebox';
import { strictObject } from '../../fields/strict-object.ts';
import { dashboardFields as f } from '../dashboard-fields.ts';
import { receiptRow } from '../orders/receipts.ts';
import { outgoingTransaction } from '../orders/timeline.ts';
import { payoutRow } from '../payouts.ts';
import { defineOperation } from '../operation.ts';

const page = { cursor: f.cursor, limit: f.limit };
const ofMerchant = { merchant_id: f.nullable(Type.String()), merchant_name: f.nullable(Type.String()) };

const held = strictObject({ currency_id: f.currencyId, amount: f.signedAmount });

const wallet = strictObject({
  address: Type.String(),
  /** Null for the wallet of the gateway itself, whose coin pays for gas. */
  app_id: f.nullable(Type.String()),
  held: Type.Array(held),
});

const sender = strictObject({
  sender_id: Type.Integer(),
  chain: Type.String(),
  address: Type.String(),
  next_nonce: f.nullable(Type.Integer()),
  final_nonce: f.nullable(Type.Integer()),
  /** Why the sender sends nothing until a person has looked; null while it works. */
  stopped_reason: f.nullable(Type.String()),
  stopped_at: f.nullable(f.time),
});

/** The operations about money across merchants. */
export const moneyOperations = [
  // The newest first.
  defineOperation({
    name: 'payouts.list-all',
    scope: 'operator',
    permission: 'operate',
    stepUp: false,
    request: strictObject({ open_only: Type.Optional(Type.Boolean()), ...page }),
    response: strictObject({
      payouts: Type.Array(strictObject({ ...payoutRow.properties, ...ofMerchant })),
      next_cursor: f.nextCursor,
    }),
  }),
  defineOperation({
    name: 'receipts.list-all',
    scope: 'operator',
    permission: 'operate',
    stepUp: false,
    request: strictObject(page),
    response: strictObject({
      receipts: Type.Array(strictObject({ ...receiptRow.properties, ...ofMerchant })),
      next_cursor: f.nextCursor,
    }),
  }),
  // Outgoing transactions that have not ended, the oldest first, at most 100.
  defineOperation({
    name: 'outgoing.list-open',
    scope: 'operator',
    permission: 'operate',
    stepUp: false,
    request: strictObject({
      state: Type.Optional(
        Type.Enum(['waiting', 'prepared', 'signed', 'mismatched'], {
          'x-expects': 'waiting, prepared, signed or mismatched',
        }),
      ),
      chain: Type.Optional(f.chain),
      subject_merchant_id: Type.Optional(f.merchantId),
    }),
    response: strictObject({
      transactions: Type.Array(
        strictObject({
          ...outgoingTransaction.properties,
          chain: Type.String(),
          subject_id: Type.String(),
          /** Null for transactions of the gateway itself. */
          ...ofMerchant,
          app_name: f.nullable(Type.String()),
        }),
      ),
      is_cut_short: Type.Boolean(),
    }),
  }),
  defineOperation({
    name: 'wallets.list',
    scope: 'operator',
    permission: 'operate',
    stepUp: false,
    request: strictObject({ chain: f.chain }),
    response: strictObject({
      wallets: Type.Array(wallet),
      /** At all deposit addresses together. */
      deposits: Type.Array(held),
      /** The holdings at deposit addresses, by the state that keeps them there. */
      holdings: Type.Array(
        strictObject({
          app_id: Type.String(),
          state: Type.Enum(['waiting', 'small', 'frozen', 'collecting']),
          addresses: Type.Integer(),
          currency_id: f.currencyId,
          amount: f.amount,
        }),
      ),
      /** The coin that the gas wallet spent on collections and payouts in the last 24 hours, its own fees included. */
      spent_currency_id: f.currencyId,
      spent: f.amount,
      senders: Type.Array(sender),
    }),
  }),
  // Resumes a sender as the page showed it. Where it is stopped for another reason by now, the answer is `changed`.
  defineOperation({
    name: 'senders.resume',
    scope: 'operator',
    permission: 'operate',
    stepUp: true,
    request: strictObject({
      sender_id: Type.Integer({ minimum: 1, maximum: 2_147_483_647, 'x-expects': 'the number of a sender' }),
      stopped_reason: Type.String({
        minLength: 1,
        maxLength: 1_000,
        'x-expects': 'the reason that was shown',
      }),
    }),
    response: strictObject({
      /** Transactions that can never happen, because another transaction has used their nonce for good. */
      failed: Type.Array(strictObject({ subject_kind: Type.String(), subject_id: Type.String() })),
    }),
  }),
  // Lists outflows from wallets that were adopted for no payout, the newest first, at most 100.
  defineOperation({
    name: 'outflows.list',
    scope: 'operator',
    permission: 'operate',
    stepUp: false,
    request: strictObject({}),
    response: strictObject({
      outflows: Type.Array(
        strictObject({
          /** chain/transaction/position, as `ducat payouts end --paid-by` takes it. */
          transfer: Type.String(),
          tx_id: Type.String(),
          chain: Type.String(),
          currency_id: f.currencyId,
          amount: f.amount,
          to: Type.String(),
          at: f.time,
          /** Open payouts of the wallet's app that promised exactly this transfer. */
          fits: Type.Array(Type.String()),
        }),
      ),
      is_cut_short: Type.Boolean(),
    }),
  }),
  // The books compared with themselves and with the chains.
  defineOperation({
    name: 'reserves.read',
    scope: 'operator',
    permission: 'operate',
    stepUp: false,
    request: strictObject({}),
    response: strictObject({
      audit: strictObject({
        /** Null before the first. */
        at: f.nullable(f.time),
        /** At most 100. */
        findings: Type.Array(strictObject({ finding: Type.String(), found_at: f.time })),
      }),
      /** The balance comparisons of each chain's addresses, by currency. */
      checks: Type.Array(
        strictObject({
          chain: Type.String(),
          currency_id: f.currencyId,
          round_started_at: f.time,
          round_checked: Type.Integer(),
          last_round_checked: f.nullable(Type.Integer()),
          trouble: f.nullable(Type.String()),
          trouble_since: f.nullable(f.time),
        }),
      ),
      /** At most 100. */
      differences: Type.Array(
        strictObject({
          chain: Type.String(),
          currency_id: f.currencyId,
          address: Type.String(),
          expected: f.signedAmount,
          actual: f.signedAmount,
          at_block: Type.Integer(),
          since: f.time,
        }),
      ),
      /** Money that left our addresses by no transaction of ours. */
      outflows: Type.Array(
        strictObject({ chain: Type.String(), currency_id: f.currencyId, amount: f.signedAmount }),
      ),
      /** What custody holds compared with what is owed, by currency. */
      reserves: Type.Array(
        strictObject({
          currency_id: f.currencyId,
          held: f.signedAmount,
          owed_to_merchants: f.amount,
          unassigned: f.amount,
          own_fees: f.signedAmount,
          /** True where the amount held covers the amounts owed and unassigned together. */
          is_covered: Type.Boolean(),
        }),
      ),
    }),
  }),
] as const;
