// Open signed transactions, for a person who knows in which skipped block one of them stands.
import type { OutgoingAction, PromisedTransfer } from '@ducat/core/outgoing/promise';
import type { OwnTransaction } from '@ducat/core/payout/own-transaction';
import type { SubjectKind } from '@ducat/core/signing/transfer-intent';
import type { Reader, Tx } from '../../postgres/tx.ts';
import { fromNumeric } from '../amounts.ts';
import { readOwnVariants } from '../payouts/payout-endings.ts';

export interface UnreadOutgoing extends OwnTransaction {
  readonly outgoingId: string;
  readonly promised: PromisedTransfer;
  readonly action: OutgoingAction;
  /** Whether blocks that were skipped may hold it. */
  readonly mayBeUnread: boolean;
}

interface Row {
  readonly outgoing_id: string;
  readonly address: string;
  readonly to_address: string;
  readonly currency_id: number;
  readonly units: string;
  readonly action: OutgoingAction;
  readonly may_be_unread: boolean;
}

/** The open signed transaction of a subject, locked; null where there is none. */
export async function lockUnread(
  tx: Tx,
  chain: string,
  { kind, id }: { readonly kind: SubjectKind; readonly id: string },
): Promise<UnreadOutgoing | null> {
  const [row] = await tx.read<Row>(
    `SELECT o.outgoing_id, d.address, o.to_address, o.currency_id, o.units, o.action, o.may_be_unread
     FROM outgoing_transactions o JOIN senders USING (sender_id) JOIN addresses d USING (address_id)
     WHERE o.chain = $1 AND o.subject_kind = $2 AND o.subject_id = $3 AND o.state = 'signed' FOR UPDATE OF o`,
    [chain, kind, id],
  );
  if (row === undefined) return null;
  return {
    outgoingId: row.outgoing_id,
    state: 'signed',
    txId: null,
    endedAtMs: null,
    promised: { from: row.address, to: row.to_address, amount: fromNumeric(row.currency_id, row.units) },
    action: row.action,
    mayBeUnread: row.may_be_unread,
    variants: await readOwnVariants(tx, row.outgoing_id),
  };
}

/** The subject of an open signed transaction, with the ids of all its signed variants. */
export interface SignedSubject {
  readonly chain: string;
  readonly kind: SubjectKind;
  readonly txIds: readonly string[];
  /** The lowest block that a variant refers to, and when the last variant expires; null if they do not. */
  readonly reference: number | null;
  readonly expiresAtMs: number | null;
}

/** Finds a subject by the id that `ducat reconcile` lists; null if it has no open signed transaction. */
export async function findSignedSubject(reader: Reader, id: string): Promise<SignedSubject | null> {
  const [row] = await reader.read<SignedSubject>(
    `SELECT o.chain, o.subject_kind AS kind, array_agg(v.tx_id) AS "txIds",
       min(v.reference) AS reference, max(v.expires_at_ms) AS "expiresAtMs"
     FROM outgoing_transactions o JOIN outgoing_variants v USING (outgoing_id)
     WHERE o.subject_id = $1 AND o.state = 'signed' AND v.tx_id IS NOT NULL GROUP BY o.outgoing_id LIMIT 1`,
    [id],
  );
  return row ?? null;
}
