// Outgoing transactions that are due: each with its sender, its newest variant, and whether a block holds one of them.
import type { AddressPurpose } from '@ducat/core/ledger/account';
import type { Amount, CurrencyId } from '@ducat/core/money/amount';
import type { Delegation } from '@ducat/core/outgoing/delegation';
import type { OutgoingState } from '@ducat/core/outgoing/outgoing';
import type { OutgoingAction } from '@ducat/core/outgoing/promise';
import { GATEWAY_ACCOUNT, type KeyPath } from '@ducat/core/signing/key-path';
import { readIntent, readSweeping } from '@ducat/core/signing/intent-record';
import { readFields } from '@ducat/core/signing/read-fields';
import { readSubject } from '@ducat/core/signing/subject-record';
import type { IntentSubject, Sweeping, TransferIntent } from '@ducat/core/signing/transfer-intent';
import { assert } from '@ducat/core/assert';
import type { Reader } from '../../postgres/tx.ts';
import { fromNumeric } from '../amounts.ts';
import { isTaken } from '../payouts/payout-endings.ts';
import { DUE_IDS } from './fair-share.ts';

export interface Variant {
  readonly ordinal: number;
  readonly intent: TransferIntent;
  readonly expiresAtMs: number | null;
  readonly preparedAtMs: number;
  /** The signed transaction; null before. */
  readonly signed: { readonly txId: string; readonly bytes: string; readonly atMs: number } | null;
  readonly sends: number;
}

export interface DueOutgoing {
  readonly outgoingId: string;
  readonly senderId: number;
  readonly state: Extract<OutgoingState, 'waiting' | 'prepared' | 'signed'>;
  readonly subject: IntentSubject;
  /** The key that signs, and its address. */
  readonly key: KeyPath;
  readonly from: string;
  readonly to: string;
  readonly amount: Amount;
  /** The delegation or undelegation of energy; null if money moves. */
  readonly delegation: Delegation | null;
  /** The sweep, or the deployment of a sweeper; null for anything else. */
  readonly sweeping: Sweeping | null;
  /** The most that the transaction may cost, in the native currency. */
  readonly feeCap: Amount;
  readonly nonce: number | null;
  readonly trouble: string | null;
  readonly troubleSinceMs: number | null;
  readonly failures: number;
  /** Since when the transaction is due. */
  readonly dueAtMs: number;
  /** Why nothing is signed for its sender; null if the sender is not stopped. */
  readonly senderStopped: string | null;
  /** Whether it is for a payout in a suspended currency. */
  readonly isSuspended: boolean;
  /** Whether it waits, is for a payout, and an outflow that no payout has taken is exactly its transfer. */
  readonly hasFittingOutflow: boolean;
  /** Whether no transaction with a lower nonce of its sender waits for a block. */
  readonly isFirst: boolean;
  /**
   * Its sender's transactions with a nonce: `inFlight` are not final, and `pending` of those are in no block of the books.
   * `nextToSign` is the lowest nonce that is prepared and not signed; null if there is none.
   */
  readonly ofSender: {
    readonly inFlight: number;
    readonly pending: number;
    readonly nextToSign: number | null;
  };
  /** The newest variant; null before the first. */
  readonly variant: Variant | null;
  /** The newest signed bytes, where a replacement waits to be signed; null elsewhere. */
  readonly before: { readonly txId: string; readonly bytes: string } | null;
  /** Whether a block of the books holds one of its variants, final or not. */
  readonly isIncluded: boolean;
}

interface Row {
  readonly outgoing_id: string;
  readonly sender_id: number;
  readonly state: DueOutgoing['state'];
  readonly subject: string;
  readonly account: number | null;
  readonly purpose: AddressPurpose;
  readonly derivation_index: number;
  readonly address: string;
  readonly to_address: string;
  readonly currency_id: number;
  readonly units: string;
  readonly fee_cap: string;
  readonly action: OutgoingAction;
  readonly staker: string | null;
  readonly permission: number | null;
  readonly swept: string | null;
  readonly nonce: number | null;
  readonly trouble: string | null;
  readonly trouble_since_ms: number | null;
  readonly failures: number;
  readonly next_at_ms: number;
  readonly stopped_reason: string | null;
  readonly is_suspended: boolean;
  readonly has_fitting_outflow: boolean;
  readonly is_first: boolean;
  readonly in_flight: number;
  readonly pending: number;
  readonly next_to_sign: number | null;
  readonly is_included: boolean;
  readonly ordinal: number | null;
  readonly intent: string | null;
  readonly expires_at_ms: number | null;
  readonly prepared_at_ms: number;
  readonly tx_id: string | null;
  readonly bytes: string | null;
  readonly signed_at_ms: number | null;
  readonly sends: number;
  readonly before_tx_id: string | null;
  readonly before_bytes: string | null;
}

export interface DueQuery {
  readonly chain: string;
  /** The currency of the chain's fees. */
  readonly nativeId: CurrencyId;
  readonly nowMs: number;
  readonly limit: number;
  /** Only this outgoing transaction; null for all. */
  readonly only: string | null;
}

/**
 * The longest due come first, then the lowest nonce. Returns at most `limit` of those that were begun, and at most as
 * many that wait to be, from each sender in turn.
 */
export async function readDueOutgoing(
  reader: Reader,
  { chain, nativeId, nowMs, limit, only }: DueQuery,
): Promise<readonly DueOutgoing[]> {
  const rows = await reader.read<Row>(DUE, [chain, nowMs, limit, only]);
  return rows.map((row) => toDue(row, nativeId));
}

/** How far the clock of a chain may be behind ours, in seconds. */
const CLOCK_SLACK = 600;

/**
 * Common table expressions that end with `paid`: the payouts of `due` that an outflow has paid. An outflow that left before
 * the payout was asked for did not pay it. Otherwise a transfer that a person once sent with the wallet's key would hold up
 * every later payout of the same amount to the same recipient.
 *
 * The outflows are read once and by themselves. Joined to payouts at once, they were sought for each payout among all that
 * its wallet has ever sent.
 */
const PAID_BY_OUTFLOW = `
  payable AS MATERIALIZED (
    SELECT o.outgoing_id, l.address_id, o.to_address, o.currency_id, o.units, p.create_time - ${CLOCK_SLACK} AS since
    FROM due o JOIN senders l USING (sender_id) JOIN payouts p ON p.trade_no = o.subject_id
    WHERE o.subject_kind = 'payout' AND o.state = 'waiting'
  ), outflows AS MATERIALIZED (
    SELECT t.chain, t.tx_id, t.position, t.block_time, t.from_address_id, t.to_address, t.currency_id, t.units
    FROM transfers t
    WHERE t.disposition = 'outgoing' AND t.block_time >= (SELECT min(since) FROM payable) AND t.chain = $1
      AND t.state = 'final'
  ), paid AS MATERIALIZED (
    SELECT p.outgoing_id FROM payable p JOIN outflows t ON t.from_address_id = p.address_id
      AND t.to_address = p.to_address AND t.currency_id = p.currency_id AND t.units = p.units
    WHERE t.block_time >= p.since AND NOT ${isTaken}
  )`;

const DUE = `
  WITH ${DUE_IDS}, due AS MATERIALIZED (
    SELECT outgoing_id, sender_id, state, subject_kind, subject, to_address, currency_id, units, fee_cap, action, staker,
      permission, swept, nonce, trouble, trouble_since_ms, failures, next_at_ms, subject_id
    FROM outgoing_transactions WHERE outgoing_id IN (SELECT outgoing_id FROM due_ids)
  ), work AS MATERIALIZED (
    SELECT other.sender_id, count(*)::integer AS in_flight, (count(*) FILTER (WHERE NOT included))::integer AS pending,
      min(other.nonce) FILTER (WHERE NOT included) AS lowest,
      min(other.nonce) FILTER (WHERE other.state = 'prepared') AS next_to_sign
    FROM outgoing_transactions other JOIN senders l USING (sender_id), LATERAL (
      SELECT EXISTS (SELECT FROM outgoing_variants v JOIN inclusions i USING (chain, tx_id)
        WHERE v.outgoing_id = other.outgoing_id) AS included) AS held
    WHERE other.sender_id IN (SELECT sender_id FROM due) AND other.next_at_ms IS NOT NULL
      AND other.state IN ('prepared', 'signed') AND (other.may_be_unread AND other.nonce < l.final_nonce) IS NOT TRUE
    GROUP BY other.sender_id
  ), ${PAID_BY_OUTFLOW}
  SELECT o.*, l.stopped_reason, d.address, d.purpose, d.derivation_index, a.account,
    newest.ordinal, newest.intent, newest.expires_at_ms, newest.prepared_at_ms, newest.tx_id, newest.bytes,
    newest.signed_at_ms, newest.sends, before.tx_id AS before_tx_id, before.bytes AS before_bytes,
    o.subject_kind = 'payout' AND EXISTS (SELECT FROM currency_suspensions s WHERE s.currency_id = o.currency_id)
      AS is_suspended,
    o.outgoing_id IN (SELECT outgoing_id FROM paid) AS has_fitting_outflow,
    NOT coalesce(work.lowest < o.nonce, false) AS is_first, coalesce(work.in_flight, 0) AS in_flight,
    coalesce(work.pending, 0) AS pending, work.next_to_sign,
    EXISTS (SELECT FROM outgoing_variants v JOIN inclusions i USING (chain, tx_id)
      WHERE v.outgoing_id = o.outgoing_id) AS is_included
  FROM due AS o JOIN senders l USING (sender_id) JOIN addresses d USING (address_id) LEFT JOIN apps a USING (app_id)
    LEFT JOIN work USING (sender_id)
    LEFT JOIN LATERAL (SELECT * FROM outgoing_variants v WHERE v.outgoing_id = o.outgoing_id
      ORDER BY v.ordinal DESC LIMIT 1) AS newest ON true
    LEFT JOIN LATERAL (SELECT * FROM outgoing_variants v WHERE v.outgoing_id = o.outgoing_id AND v.tx_id IS NOT NULL
      ORDER BY v.ordinal DESC LIMIT 1) AS before ON o.state = 'signed' AND newest.tx_id IS NULL
  ORDER BY o.next_at_ms, o.nonce, o.outgoing_id`;

function toDue(row: Row, nativeId: CurrencyId): DueOutgoing {
  const subject = readFields(JSON.parse(row.subject), readSubject);
  assert(subject !== null, `the subject of ${row.outgoing_id} is one`);
  return {
    outgoingId: row.outgoing_id,
    senderId: row.sender_id,
    state: row.state,
    subject,
    key: {
      account: row.account ?? GATEWAY_ACCOUNT,
      branch: row.purpose === 'wallet' ? 'wallet' : 'deposit',
      index: row.derivation_index,
    },
    from: row.address,
    to: row.to_address,
    amount: fromNumeric(row.currency_id, row.units),
    delegation: delegationOf(row),
    sweeping: sweepingOf(row),
    feeCap: fromNumeric(nativeId, row.fee_cap),
    nonce: row.nonce,
    trouble: row.trouble,
    troubleSinceMs: row.trouble_since_ms,
    failures: row.failures,
    dueAtMs: row.next_at_ms,
    senderStopped: row.stopped_reason,
    isSuspended: row.is_suspended,
    hasFittingOutflow: row.has_fitting_outflow,
    isFirst: row.is_first,
    ofSender: { inFlight: row.in_flight, pending: row.pending, nextToSign: row.next_to_sign },
    variant: variantOf(row),
    before: beforeOf(row),
    isIncluded: row.is_included,
  };
}

function delegationOf({ action, staker: address, permission }: Row): Delegation | null {
  const isDelegation = action === 'delegate' || action === 'undelegate';
  if (!isDelegation || address === null || permission === null) return null;
  return { action, staker: { address, permission } };
}

function sweepingOf({ action, swept, outgoing_id: id }: Row): Sweeping | null {
  if (action === 'deploy') return { type: action };
  if (swept === null) return null;
  const sweeping = readFields(JSON.parse(swept), readSweeping);
  assert(sweeping !== null, `what ${id} sweeps is a list of addresses`);
  return sweeping;
}

function beforeOf({ before_tx_id: txId, before_bytes: bytes }: Row): DueOutgoing['before'] {
  return txId === null || bytes === null ? null : { txId, bytes };
}

function variantOf(row: Row): Variant | null {
  if (row.ordinal === null || row.intent === null) return null;
  const intent = readIntent(JSON.parse(row.intent));
  assert(intent !== null, `variant ${row.ordinal} of ${row.outgoing_id} has an intent`);
  const { tx_id: txId, bytes, signed_at_ms: atMs } = row;
  return {
    ordinal: row.ordinal,
    intent,
    expiresAtMs: row.expires_at_ms,
    preparedAtMs: row.prepared_at_ms,
    signed: txId === null || bytes === null || atMs === null ? null : { txId, bytes, atMs },
    sends: row.sends,
  };
}
