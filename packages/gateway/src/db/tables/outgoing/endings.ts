// Outgoing transactions that a final block holds, and what became of them.
import type { Inclusion } from '@ducat/core/chain/inclusion';
import type { Transfer } from '@ducat/core/chain/transfer';
import type { AddressPurpose, OwnAddress } from '@ducat/core/ledger/account';
import type { OutgoingAction, PromisedTransfer, Verdict } from '@ducat/core/outgoing/promise';
import type { SubjectKind } from '@ducat/core/signing/transfer-intent';
import type { Tx } from '../../postgres/tx.ts';
import { fromNumeric } from '../amounts.ts';
import { toTransfer, type TransferRow } from '../transfers/transfer-row.ts';
import { heldNowhere } from './held-nowhere.ts';

/** An included transaction of ours, with all that decides what became of it. */
export interface IncludedOutgoing {
  readonly outgoingId: string;
  readonly senderId: number;
  readonly nonce: number | null;
  readonly subjectKind: SubjectKind;
  readonly subjectId: string;
  readonly promised: PromisedTransfer;
  readonly action: OutgoingAction;
  /** The sender's address. */
  readonly payer: OwnAddress;
  readonly inclusion: Inclusion;
}

interface Row {
  readonly outgoing_id: string;
  readonly sender_id: number;
  readonly nonce: number | null;
  readonly subject_kind: SubjectKind;
  readonly subject_id: string;
  readonly currency_id: number;
  readonly to_address: string;
  readonly units: string;
  readonly action: OutgoingAction;
  readonly address: string;
  readonly purpose: AddressPurpose;
  readonly app_id: string | null;
  readonly tx_id: string;
  readonly block_number: number;
  readonly block_hash: string;
  readonly block_time: number;
  readonly status: Inclusion['status'];
  readonly fee_currency: number;
  readonly fee: string;
}

/** Transactions of ours in a block at or below a height that is final now, locked. */
export async function lockIncluded(
  tx: Tx,
  chain: string,
  upTo: number,
): Promise<readonly IncludedOutgoing[]> {
  const rows = await tx.read<Row>(
    `SELECT o.outgoing_id, o.sender_id, o.nonce, o.subject_kind, o.subject_id, o.currency_id, o.to_address, o.units, o.action,
       d.address, d.purpose, d.app_id, i.tx_id, i.block_number, i.block_hash, i.block_time, i.status,
       i.currency_id AS fee_currency, i.fee
     FROM inclusions i JOIN outgoing_variants v USING (chain, tx_id) JOIN outgoing_transactions o USING (outgoing_id)
       JOIN senders l USING (sender_id) JOIN addresses d ON d.address_id = l.address_id
     WHERE i.chain = $1 AND NOT i.final AND i.block_number <= $2
     ORDER BY o.outgoing_id FOR UPDATE OF o, i`,
    [chain, upTo],
  );
  return rows.map((row) => toIncluded(chain, row));
}

function toIncluded(chain: string, row: Row): IncludedOutgoing {
  return {
    outgoingId: row.outgoing_id,
    senderId: row.sender_id,
    nonce: row.nonce,
    subjectKind: row.subject_kind,
    subjectId: row.subject_id,
    promised: { from: row.address, to: row.to_address, amount: fromNumeric(row.currency_id, row.units) },
    action: row.action,
    payer: { address: row.address, purpose: row.purpose, appId: row.app_id },
    inclusion: {
      chain,
      txId: row.tx_id,
      block: { number: row.block_number, hash: row.block_hash, time: row.block_time },
      status: row.status,
      payer: row.address,
      fee: fromNumeric(row.fee_currency, row.fee),
    },
  };
}

/** The final transfers of these transactions, by transaction. */
export async function readMoved(
  tx: Tx,
  chain: string,
  txIds: readonly string[],
): Promise<ReadonlyMap<string, readonly Transfer[]>> {
  const rows = await tx.read<TransferRow>(
    `SELECT * FROM transfers WHERE chain = $1 AND tx_id = ANY($2::text[]) AND state = 'final' ORDER BY position`,
    [chain, txIds],
  );
  const moved = new Map<string, Transfer[]>();
  for (const row of rows) moved.set(row.tx_id, [...(moved.get(row.tx_id) ?? []), toTransfer(row)]);
  return moved;
}

export interface Ending {
  readonly outgoingId: string;
  readonly txId: string;
  readonly verdict: Verdict;
}

/** Marks the inclusions as final, and ends each transaction with its verdict. */
export async function endOutgoing(
  tx: Tx,
  chain: string,
  endings: readonly Ending[],
  nowMs: number,
): Promise<void> {
  await tx.write(
    `WITH ended AS (
       SELECT * FROM unnest($2::text[], $3::text[], $4::text[]) AS e (outgoing_id, tx_id, verdict)
     ), final AS (
       UPDATE inclusions i SET final = true FROM ended WHERE i.chain = $1 AND i.tx_id = ended.tx_id
     )
     UPDATE outgoing_transactions o SET state = ended.verdict, tx_id = ended.tx_id, next_at_ms = NULL, ended_at_ms = $5,
       trouble = NULL, trouble_since_ms = NULL
     FROM ended WHERE o.outgoing_id = ended.outgoing_id`,
    [
      chain,
      endings.map(({ outgoingId }) => outgoingId),
      endings.map(({ txId }) => txId),
      endings.map(({ verdict }) => verdict),
      nowMs,
    ],
  );
}

/**
 * Marks the signed transactions of a chain, because skipped blocks that are never read may hold them. A spent nonce
 * then does not prove that they failed. A transaction that is signed later cannot be in those blocks, because the
 * blocks are final. Returns how many were marked.
 */
export async function markUnread(tx: Tx, chain: string): Promise<number> {
  const rows = await tx.write(
    `UPDATE outgoing_transactions SET may_be_unread = true WHERE chain = $1 AND state = 'signed' RETURNING outgoing_id`,
    [chain],
  );
  return rows.length;
}

/**
 * Fails the signed transactions of a sender whose nonces are spent and that no block of the books holds. A transaction
 * that was prepared and never signed waits again. A transaction that skipped blocks may hold stays as it is. Returns
 * the failed ones.
 */
export async function failOvertaken(
  tx: Tx,
  senderId: number,
  below: number,
  nowMs: number,
): Promise<
  readonly { readonly outgoingId: string; readonly subjectKind: SubjectKind; readonly subjectId: string }[]
> {
  await tx.write(
    `WITH unsigned AS (
       UPDATE outgoing_transactions SET state = 'waiting', nonce = NULL, next_at_ms = $3
       WHERE sender_id = $1 AND state = 'prepared' AND nonce < $2 RETURNING outgoing_id
     ) DELETE FROM outgoing_variants v USING unsigned WHERE v.outgoing_id = unsigned.outgoing_id`,
    [senderId, below, nowMs],
  );
  return tx.write(
    `UPDATE outgoing_transactions o SET state = 'failed', next_at_ms = NULL, ended_at_ms = $3, trouble = NULL,
       trouble_since_ms = NULL, tx_id = (SELECT tx_id FROM outgoing_variants v
         WHERE v.outgoing_id = o.outgoing_id AND tx_id IS NOT NULL ORDER BY ordinal DESC LIMIT 1)
     WHERE sender_id = $1 AND state = 'signed' AND nonce < $2 AND NOT may_be_unread
       AND ${heldNowhere('o.outgoing_id')}
     RETURNING outgoing_id AS "outgoingId", subject_kind AS "subjectKind", subject_id AS "subjectId"`,
    [senderId, below, nowMs],
  );
}
