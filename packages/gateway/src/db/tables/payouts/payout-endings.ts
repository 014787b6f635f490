// Payouts that a person ended with a proof, and what that proof is read from.
import type { Transfer } from '@ducat/core/chain/transfer';
import type { OwnTransaction, OwnVariant } from '@ducat/core/payout/own-transaction';
import type { AdoptedTransfer, OddTransaction } from '@ducat/core/payout/transition';
import type { Reader, Tx } from '../../postgres/tx.ts';
import type { TransferIdentity } from '../transfers/receipts.ts';
import { toTransfer, type TransferRow } from '../transfers/transfer-row.ts';

export interface NewEnding {
  readonly tradeNo: string;
  /** The transfer that paid the payout; null if nothing can happen any more. */
  readonly transfer: TransferIdentity | null;
  readonly by: string;
  /** The approver who agreed; null if no approval was needed. */
  readonly approvedBy: string | null;
  readonly reason: string;
  readonly atMs: number;
}

export async function insertEnding(
  tx: Tx,
  { tradeNo, transfer, by, approvedBy, reason, atMs }: NewEnding,
): Promise<void> {
  const { chain = null, txId = null, position = null } = transfer ?? {};
  await tx.write(
    `INSERT INTO payout_endings (trade_no, chain, tx_id, position, ended_by, approved_by, reason, at_ms)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [tradeNo, chain, txId, position, by, approvedBy, reason, atMs],
  );
}

/** SQL: whether `t` was taken for a payout already, as its payment or as the part of it that its recipient got. */
export const isTaken = `(EXISTS (SELECT FROM payout_endings e
    WHERE e.chain = t.chain AND e.tx_id = t.tx_id AND e.position = t.position)
  OR EXISTS (SELECT FROM entries e
    WHERE e.fact = 'adoption' AND e.reference = t.chain || '/' || t.tx_id || '/' || t.position))`;

interface LeftRow extends TransferRow {
  readonly disposition: AdoptedTransfer['disposition'];
}

/**
 * Locks a final transfer out of the wallet of this payout's app to an address that is not ours. Null if there is none, or
 * if it was taken for a payout already. It is one of three:
 * - an outflow without an intent,
 * - a part of the payout's own transaction, which moved something else besides,
 * - a transfer of the payout's own transaction, of which the books know no block.
 */
export async function lockOutflow(
  tx: Tx,
  { chain, txId, position }: TransferIdentity,
  { tradeNo, appId }: { readonly tradeNo: string; readonly appId: string },
): Promise<(Transfer & AdoptedTransfer) | null> {
  const [row] = await tx.read<LeftRow>(
    `SELECT t.* FROM transfers t JOIN addresses d ON d.address_id = t.from_address_id AND d.purpose = 'wallet'
     WHERE t.chain = $1 AND t.tx_id = $2 AND t.position = $3 AND t.state = 'final' AND d.app_id = $4
       AND (t.disposition = 'outgoing' OR (t.disposition = 'sent' AND EXISTS (
         SELECT FROM outgoing_transactions o JOIN outgoing_variants v USING (outgoing_id)
         WHERE o.subject_kind = 'payout' AND o.subject_id = $5 AND v.chain = t.chain AND v.tx_id = t.tx_id
           AND ((o.state = 'mismatched' AND o.tx_id = t.tx_id) OR (o.state = 'signed'
             AND NOT EXISTS (SELECT FROM inclusions i WHERE i.chain = t.chain AND i.tx_id = t.tx_id))))))
     FOR UPDATE OF t`,
    [chain, txId, position, appId, tradeNo],
  );
  // A second statement, because the one that waited for the lock would not see an ending that was written meanwhile.
  const used = await tx.read(
    `SELECT FROM transfers t WHERE t.chain = $1 AND t.tx_id = $2 AND t.position = $3 AND ${isTaken}`,
    [chain, txId, position],
  );
  if (row === undefined || used.length > 0) return null;
  return { ...toTransfer(row), disposition: row.disposition };
}

export interface Outflow {
  readonly transfer: Transfer;
  /** Open payouts of the wallet's app that promised exactly this. */
  readonly fits: readonly string[];
}

/** Outflows of wallets of ours without an intent, which no payout has taken, the newest first. */
export async function listOutflows(reader: Reader, limit: number): Promise<readonly Outflow[]> {
  const rows = await reader.read<TransferRow & { readonly fits: readonly string[] }>(
    `SELECT t.*, ARRAY(SELECT p.trade_no FROM payouts p
         WHERE p.status IN ('PROGRESS', 'CONFIRMING-PROGRESS') AND p.chain = t.chain AND p.to_address = t.to_address
           AND p.app_id = d.app_id AND p.currency_id = t.currency_id AND p.receipt = t.units ORDER BY p.trade_no LIMIT 10) AS fits
     FROM transfers t JOIN addresses d ON d.address_id = t.from_address_id AND d.purpose = 'wallet'
     WHERE t.state = 'final' AND t.disposition = 'outgoing' AND NOT ${isTaken}
     ORDER BY t.block_time DESC, t.chain, t.tx_id, t.position LIMIT $1`,
    [limit],
  );
  return rows.map((row) => ({ transfer: toTransfer(row), fits: row.fits }));
}

/** An outflow that no payout has taken and that is exactly what this one promised; null where there is none. */
export async function readFittingOutflow(reader: Reader, tradeNo: string): Promise<TransferIdentity | null> {
  const [row] = await reader.read<TransferIdentity>(
    `SELECT t.chain, t.tx_id AS "txId", t.position
     FROM payouts p JOIN addresses d ON d.app_id = p.app_id AND d.purpose = 'wallet'
       JOIN transfers t ON t.from_address_id = d.address_id
     WHERE p.trade_no = $1 AND t.chain = p.chain AND t.to_address = p.to_address AND t.currency_id = p.currency_id
       AND t.units = p.receipt AND t.state = 'final' AND t.disposition = 'outgoing' AND NOT ${isTaken}
     ORDER BY t.block_time, t.tx_id, t.position LIMIT 1`,
    [tradeNo],
  );
  return row ?? null;
}

export interface PayoutTransaction extends OwnTransaction {
  readonly outgoingId: string;
  readonly chain: string;
  /** The wallet that sends it. */
  readonly from: string;
  readonly senderId: number;
  readonly nonce: number | null;
}

/** The one outgoing transaction of a payout, locked; null where it never asked for one. */
export async function lockTransaction(tx: Tx, tradeNo: string): Promise<PayoutTransaction | null> {
  const [row] = await tx.read<Omit<PayoutTransaction, 'variants'>>(
    `SELECT o.outgoing_id AS "outgoingId", o.chain, o.state, o.tx_id AS "txId", o.ended_at_ms AS "endedAtMs",
       d.address AS "from", o.sender_id AS "senderId", o.nonce
     FROM outgoing_transactions o JOIN senders USING (sender_id) JOIN addresses d USING (address_id)
     WHERE o.subject_kind = 'payout' AND o.subject_id = $1 FOR UPDATE OF o`,
    [tradeNo],
  );
  if (row === undefined) return null;
  return { ...row, variants: await readOwnVariants(tx, row.outgoingId) };
}

/** The variants of one outgoing transaction, the oldest first. */
export function readOwnVariants(tx: Tx, outgoingId: string): Promise<readonly OwnVariant[]> {
  return tx.read<OwnVariant>(
    `SELECT v.tx_id AS "txId", v.expires_at_ms AS "expiresAtMs", v.reference,
       EXISTS (SELECT FROM inclusions i WHERE i.chain = v.chain AND i.tx_id = v.tx_id)
         OR EXISTS (SELECT FROM transfers t WHERE t.chain = v.chain AND t.tx_id = v.tx_id
           AND t.state IN ('seen', 'final')) AS "isHeld"
     FROM outgoing_variants v WHERE v.outgoing_id = $1 ORDER BY v.ordinal`,
    [outgoingId],
  );
}

/** What is known of a transaction that was not what was promised; null where no final block holds it. */
export async function readOdd(
  tx: Tx,
  { chain, txId, from }: Pick<PayoutTransaction, 'chain' | 'txId' | 'from'>,
): Promise<OddTransaction | null> {
  const [held] = await tx.read<{ readonly status: OddTransaction['status']; readonly time: number }>(
    'SELECT status, block_time AS time FROM inclusions WHERE chain = $1 AND tx_id = $2 AND final',
    [chain, txId],
  );
  if (held === undefined || txId === null) return null;
  const rows = await tx.read<LeftRow & { readonly taken: boolean }>(
    `SELECT t.*, ${isTaken} AS taken FROM transfers t WHERE t.chain = $1 AND t.tx_id = $2 AND t.from_address = $3
       AND t.state = 'final' AND t.disposition IN ('outgoing', 'sent') ORDER BY t.position`,
    [chain, txId, from],
  );
  const left = rows.map((row) => ({
    ...toTransfer(row),
    disposition: row.disposition,
    isTaken: row.taken,
  }));
  return { txId, from, ...held, left };
}

/** Ends an open transaction for a person, in the state that the proof shows. */
export async function endOpen(
  tx: Tx,
  outgoingId: string,
  {
    state,
    txId,
    nowMs,
  }: { readonly state: 'succeeded' | 'failed'; readonly txId: string; readonly nowMs: number },
): Promise<void> {
  await tx.write(
    `UPDATE outgoing_transactions SET state = $2, tx_id = $3, next_at_ms = NULL, ended_at_ms = $4, trouble = NULL,
       trouble_since_ms = NULL
     WHERE outgoing_id = $1 AND state IN ('waiting', 'signed')`,
    [outgoingId, state, txId, nowMs],
  );
}
