// The story of one order or payout, entry by entry. Every page about it shows these entries and nothing else.
import Type from 'typebox';
import { strictObject } from '../../fields/strict-object.ts';
import { dashboardFields as f } from '../dashboard-fields.ts';
import { orderStatus } from './order-row.ts';

const payoutStatuses = ['PROGRESS', 'CONFIRMING-PROGRESS', 'PAID', 'FAIL', 'CANCEL'] as const;
export const payoutStatus = Type.Enum([...payoutStatuses], {
  'x-expects': `one of ${payoutStatuses.join(', ')}`,
});

/** One source's reading of a price, and what became of it. Prices are decimal text. */
const reading = strictObject({
  source: Type.String(),
  base: Type.String(),
  quote: Type.String(),
  price: Type.String(),
  /** The source's own time. */
  at: f.time,
  verdict: Type.Enum(['used', 'far', 'old', 'ahead']),
});

const quoted = strictObject({
  fiat: Type.String(),
  /** The price of one whole token, in this fiat currency. */
  price: Type.String(),
  source: Type.String(),
  /** The time of the oldest moving price that the rate is based on. */
  at: f.time,
});

const created = strictObject({ kind: Type.Literal('created'), at: f.time });

const quote = strictObject({
  kind: Type.Literal('quote'),
  at: f.time,
  quote: quoted,
  /** Null where the stored evidence is damaged. */
  evidence: f.nullable(Type.Array(reading)),
});

/** The payer of a hosted order chose this currency. */
const choice = strictObject({
  kind: Type.Literal('choice'),
  at: f.time,
  number: Type.Integer(),
  currency_id: f.currencyId,
  amount: f.amount,
  address: Type.String(),
  quote: f.nullable(quoted),
});

const transfer = strictObject({
  kind: Type.Literal('transfer'),
  /** The time of the transfer's block. */
  at: f.time,
  chain: Type.String(),
  tx_id: Type.String(),
  position: Type.String(),
  currency_id: f.currencyId,
  amount: f.amount,
  from: Type.String(),
  to: Type.String(),
  block_number: Type.Integer(),
  block_hash: Type.String(),
  state: Type.Enum(['proposed', 'seen', 'final', 'orphaned']),
  /** The disposition of the transfer; null until it is final. */
  disposition: f.nullable(
    Type.Enum(['payment', 'late', 'extra', 'unassigned', 'outgoing', 'sent', 'own', 'reversed']),
  ),
  /** Whether the transfer can be refunded by itself: late or extra money, as long as the order is not accepted. */
  can_send_back: Type.Boolean(),
  confirmations: Type.Integer(),
  confirmations_needed: Type.Integer(),
  /** A person's decision that the transfer counts for the order; null where it counted by itself. */
  assigned: f.nullable(strictObject({ by: Type.String(), reason: Type.String(), at: f.time })),
});

/** A reorg replaced blocks of the order's chain while one of its transfers was in them. */
const reorg = strictObject({
  kind: Type.Literal('reorg'),
  at: f.time,
  chain: Type.String(),
  from_number: Type.Integer(),
  /** The newest block that both branches share; null where it is older than the blocks that are kept. */
  ancestor_number: f.nullable(Type.Integer()),
});

const ledger = strictObject({
  kind: Type.Literal('ledger'),
  at: f.time,
  entry_id: Type.Integer(),
  fact: Type.String(),
  reference: Type.String(),
  /** The postings add up to zero. A positive amount raises the account. */
  postings: Type.Array(
    strictObject({ account: Type.String(), currency_id: f.currencyId, amount: f.signedAmount }),
  ),
});

export const attempt = strictObject({
  attempt: Type.Integer(),
  started_at_ms: Type.Integer(),
  duration_ms: f.nullable(Type.Integer()),
  http_status: f.nullable(Type.Integer()),
  /** `unfinished` while the attempt runs, and where its process died. */
  outcome: Type.Enum([
    'unfinished',
    'delivered',
    'wrong-answer',
    'http-status',
    'timeout',
    'refused-address',
    'unresolved',
    'connection-failed',
    'tls-failed',
    'bad-http',
    'too-large',
    'not-signed',
  ]),
});

const webhook = strictObject({
  kind: Type.Literal('webhook'),
  at: f.time,
  event_id: Type.String(),
  type: Type.String(),
  status: Type.String(),
  state: Type.Enum(['pending', 'delivered', 'dead', 'unsent']),
  url: f.nullable(Type.String()),
  /** The exact text that each attempt sends. */
  body: Type.String(),
  /** The newest first. */
  attempts: Type.Array(attempt),
  next_attempt_at: f.nullable(f.time),
});

/** Nothing or too little arrived in time. */
const expired = strictObject({ kind: Type.Literal('expired'), at: f.time });

/** A person let the order count as paid although the money was late. */
const accepted = strictObject({
  kind: Type.Literal('accepted'),
  at: f.time,
  by: Type.String(),
  reason: Type.String(),
});

/** A payout that sends the order back: part of it, all of it, or one of its receipts. */
const refund = strictObject({
  kind: Type.Literal('refund'),
  at: f.time,
  /** The number of the payout. */
  trade_no: Type.String(),
  status: payoutStatus,
  currency_id: f.currencyId,
  amount: f.amount,
  to: Type.String(),
  by: Type.String(),
  reason: Type.String(),
  tx_id: f.nullable(Type.String()),
});

export const outgoingTransaction = strictObject({
  subject_kind: Type.Enum(['payout', 'collection', 'funding', 'cold']),
  /**
   * For `delegate` and `undelegate`, the amount is stake and no money leaves. For `sweep`, the amount is what leaves
   * all swept addresses together.
   */
  action: Type.Enum(['transfer', 'delegate', 'undelegate', 'deploy', 'sweep']),
  state: Type.Enum(['waiting', 'prepared', 'signed', 'succeeded', 'failed', 'mismatched', 'cancelled']),
  from: Type.String(),
  to: Type.String(),
  currency_id: f.currencyId,
  amount: f.amount,
  created_at: f.time,
  ended_at: f.nullable(f.time),
  /** Why the transaction waits; null where nothing stands in the way. */
  trouble: f.nullable(Type.String()),
  /** The variants of the transaction, which exclude each other. */
  variants: Type.Array(
    strictObject({
      tx_id: f.nullable(Type.String()),
      signed_at: f.nullable(f.time),
      sends: Type.Integer(),
      last_answer: f.nullable(Type.String()),
      /** The block of the variant; null while no block includes it. */
      block: f.nullable(
        strictObject({
          number: Type.Integer(),
          time: f.time,
          status: Type.Enum(['succeeded', 'failed']),
          is_final: Type.Boolean(),
          /** The network fee that was paid, in the coin of the chain. */
          fee_currency_id: f.currencyId,
          fee: f.amount,
        }),
      ),
    }),
  ),
});

/** The address was emptied into the app's wallet. The gateway bears the cost. */
const collection = strictObject({
  kind: Type.Literal('collection'),
  at: f.time,
  collection_id: Type.String(),
  method: Type.Enum(['native', 'plain', 'funded', 'delegated', 'sponsored']),
  state: Type.Enum(['funding', 'delegating', 'moving', 'collected', 'failed', 'withdrawn']),
  reason: f.nullable(Type.String()),
  currency_id: f.currencyId,
  amount: f.amount,
  /** The expected cost, in the coin of the chain. The actual cost is shown with the blocks of the transactions. */
  cost_currency_id: f.currencyId,
  cost: f.amount,
  ended_at: f.nullable(f.time),
  transactions: Type.Array(outgoingTransaction),
});

const approved = strictObject({
  kind: Type.Literal('approved'),
  at: f.time,
  approver: Type.String(),
  /** When the approval expires. */
  until: f.time,
  max_fee_currency_id: f.currencyId,
  max_fee: f.amount,
});

const sending = strictObject({
  kind: Type.Literal('sending'),
  at: f.time,
  transaction: outgoingTransaction,
});

const ended = strictObject({
  kind: Type.Literal('ended'),
  at: f.time,
  status: Type.Enum(['PAID', 'FAIL', 'CANCEL']),
  tx_id: f.nullable(Type.String()),
  by: f.nullable(Type.String()),
  reason: f.nullable(Type.String()),
  /** True where the second person who was asked declined. */
  declined: Type.Boolean(),
});

/** Entries of an order, the oldest first. */
export const orderTimeline = Type.Array(
  Type.Union([
    created,
    quote,
    choice,
    transfer,
    reorg,
    ledger,
    webhook,
    expired,
    accepted,
    collection,
    refund,
  ]),
);

/** Entries of a payout, the oldest first. */
export const payoutTimeline = Type.Array(Type.Union([created, approved, sending, ledger, webhook, ended]));

/** The facts of an order, beside its story. */
export const orderFacts = {
  /**
   * The most that a refund may send back: the collected amount less what is being refunded or was. Zero unless the
   * order is PAID.
   */
  refundable: f.amount,
  /** Whether a person may accept the order as paid: it timed out, and the money that arrived and stays is enough. */
  can_accept: Type.Boolean(),
  address: Type.String(),
  /** The tolerance that the order was made with, in parts per million. */
  tolerance_ppm: Type.Integer(),
  callback_url: f.nullable(Type.String()),
  redirect_url: f.nullable(Type.String()),
  /** The address of the payment page; null where the gateway has no page. */
  page_url: f.nullable(Type.String()),
  /** For a hosted order, the subject that the payer is shown. */
  subject: f.nullable(Type.String()),
  status: orderStatus,
};
