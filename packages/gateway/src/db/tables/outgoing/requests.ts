// Outgoing transactions as they are asked for, and as they are taken back before anything was signed.
import type { Amount } from '@ducat/core/money/amount';
import type { Delegation } from '@ducat/core/outgoing/delegation';
import { sweepingRecord } from '@ducat/core/signing/intent-record';
import type { IntentSubject, SubjectKind, Sweeping } from '@ducat/core/signing/transfer-intent';
import { subjectRecord } from '@ducat/core/signing/subject-record';
import type { Tx } from '../../postgres/tx.ts';
import { toNumeric } from '../amounts.ts';
import { heldNowhere } from './held-nowhere.ts';

export interface NewOutgoing {
  readonly outgoingId: string;
  readonly senderId: number;
  readonly chain: string;
  readonly subject: IntentSubject;
  /** Canonical. */
  readonly to: string;
  readonly amount: Amount;
  /** The most that the transaction may cost, in the native currency. */
  readonly feeCap: Amount;
  /** The delegation or undelegation of energy; null if money moves. */
  readonly delegation?: Delegation | null;
  /** The sweep, or the deployment of a sweeper; null for anything else. */
  readonly sweeping?: Sweeping | null;
  readonly nowMs: number;
}

/** Adds an outgoing transaction; false if its subject has one already. */
export async function insertOutgoing(tx: Tx, one: NewOutgoing): Promise<boolean> {
  const { subject, amount, delegation = null, sweeping = null, nowMs } = one;
  const rows = await tx.write(
    `INSERT INTO outgoing_transactions (outgoing_id, sender_id, chain, subject_kind, subject_id, subject, currency_id,
       to_address, units, fee_cap, state, next_at_ms, created_at_ms, action, staker, permission, swept)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, 'waiting', $11, $11, $12, $13, $14, $15)
     ON CONFLICT (subject_kind, subject_id) DO NOTHING RETURNING outgoing_id`,
    [
      one.outgoingId,
      one.senderId,
      one.chain,
      subject.kind,
      subject.id,
      JSON.stringify(subjectRecord(subject)),
      amount.currencyId,
      one.to,
      toNumeric(amount),
      toNumeric(one.feeCap),
      nowMs,
      delegation?.action ?? sweeping?.type ?? 'transfer',
      delegation?.staker.address ?? null,
      delegation?.staker.permission ?? null,
      sweeping?.type === 'sweep' ? JSON.stringify(sweepingRecord(sweeping)) : null,
    ],
  );
  return rows.length > 0;
}

/** The ids of the subjects of one kind that these outgoing transactions are for. */
export async function readSubjects(
  tx: Tx,
  kind: SubjectKind,
  outgoingIds: readonly string[],
): Promise<readonly string[]> {
  const rows = await tx.read<{ subject_id: string }>(
    `SELECT subject_id FROM outgoing_transactions WHERE outgoing_id = ANY($1::text[]) AND subject_kind = $2
     ORDER BY subject_id`,
    [outgoingIds, kind],
  );
  return rows.map((row) => row.subject_id);
}

/** Cancels the transaction of a subject; true if it was still waiting. */
export async function cancelWaiting(tx: Tx, kind: SubjectKind, id: string, nowMs: number): Promise<boolean> {
  const rows = await tx.write(
    `UPDATE outgoing_transactions SET state = 'cancelled', next_at_ms = NULL, ended_at_ms = $3
     WHERE subject_kind = $1 AND subject_id = $2 AND state = 'waiting' RETURNING outgoing_id`,
    [kind, id, nowMs],
  );
  return rows.length > 0;
}

/** Which of these still wait and are in no block of the books, locked until the transaction ends. */
export async function lockWaiting(tx: Tx, outgoingIds: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await tx.read<{ outgoing_id: string }>(
    `SELECT o.outgoing_id FROM outgoing_transactions o WHERE o.outgoing_id = ANY($1::text[]) AND o.state = 'waiting'
       AND ${heldNowhere('o.outgoing_id')}
     ORDER BY o.outgoing_id FOR UPDATE OF o`,
    [outgoingIds],
  );
  return new Set(rows.map((row) => row.outgoing_id));
}

/** Whether the transaction of a subject waits; locked until the transaction ends. */
export async function lockWaitingSubject(tx: Tx, kind: SubjectKind, id: string): Promise<boolean> {
  const rows = await tx.read(
    `SELECT FROM outgoing_transactions WHERE subject_kind = $1 AND subject_id = $2 AND state = 'waiting' FOR UPDATE`,
    [kind, id],
  );
  return rows.length > 0;
}

/**
 * Replaces the approval that the signer is shown, and the fee cap by what the new approval allows. The transaction is
 * tried at once.
 */
export async function renewSubject(
  tx: Tx,
  subject: IntentSubject,
  { feeCap, nowMs }: { readonly feeCap: Amount; readonly nowMs: number },
): Promise<void> {
  await tx.write(
    `UPDATE outgoing_transactions SET subject = $3, fee_cap = $4, next_at_ms = $5, trouble = NULL, trouble_since_ms = NULL,
       failures = 0
     WHERE subject_kind = $1 AND subject_id = $2 AND state = 'waiting'`,
    [subject.kind, subject.id, JSON.stringify(subjectRecord(subject)), toNumeric(feeCap), nowMs],
  );
}
