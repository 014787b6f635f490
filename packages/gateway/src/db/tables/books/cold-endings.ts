// Transfers to cold storage that a person ended: by which transfer, and what is read to allow it.
import type { Transfer } from '@ducat/core/chain/transfer';
import { toNumeric } from '../amounts.ts';
import type { OwnTransaction } from '@ducat/core/payout/own-transaction';
import type { Tx } from '../../postgres/tx.ts';
import { readOwnVariants } from '../payouts/payout-endings.ts';
import type { TransferIdentity } from '../transfers/receipts.ts';
import { toTransfer, type TransferRow } from '../transfers/transfer-row.ts';

export interface ColdEnding {
  readonly coldTransferId: string;
  readonly found: TransferIdentity;
  readonly by: string;
  readonly reason: string;
  readonly nowMs: number;
}

export async function insertColdEnding(
  tx: Tx,
  { coldTransferId, found, by, reason, nowMs }: ColdEnding,
): Promise<void> {
  await tx.write(
    `INSERT INTO cold_endings (cold_transfer_id, chain, tx_id, position, ended_by, reason, at_ms)
     VALUES ($1, $2, $3, $4, $5, $6, $7)`,
    [coldTransferId, found.chain, found.txId, found.position, by, reason, nowMs],
  );
}

/** `sent`: the promised part of a transaction to cold storage that moved something else besides. */
export type ColdOutflow = Transfer & { readonly disposition: 'outgoing' | 'sent' };

/**
 * Locks an outflow: a final transfer out of a wallet that no transaction of the books sent, or a part of a transfer to cold
 * storage whose transaction moved something else than promised. Null if there is none, or if it ended something already.
 */
export async function lockColdOutflow(
  tx: Tx,
  { chain, txId, position }: TransferIdentity,
): Promise<ColdOutflow | null> {
  const [row] = await tx.read<TransferRow & { readonly disposition: ColdOutflow['disposition'] }>(
    `SELECT t.* FROM transfers t JOIN addresses d ON d.address_id = t.from_address_id AND d.purpose = 'wallet'
     WHERE t.chain = $1 AND t.tx_id = $2 AND t.position = $3 AND t.state = 'final'
       AND (t.disposition = 'outgoing' OR (t.disposition = 'sent' AND EXISTS (SELECT FROM outgoing_transactions o
         WHERE o.subject_kind = 'cold' AND o.chain = t.chain AND o.tx_id = t.tx_id AND o.state = 'mismatched')))
     FOR UPDATE OF t`,
    [chain, txId, position],
  );
  // A second statement, because the one that waited for the lock would not see an ending that was written meanwhile.
  const used = await tx.read(
    `SELECT FROM cold_endings WHERE chain = $1 AND tx_id = $2 AND position = $3
     UNION ALL SELECT FROM payout_endings WHERE chain = $1 AND tx_id = $2 AND position = $3
     UNION ALL SELECT FROM entries WHERE fact = 'adoption' AND reference = $1 || '/' || $2 || '/' || $3`,
    [chain, txId, position],
  );
  return row === undefined || used.length > 0 ? null : { ...toTransfer(row), disposition: row.disposition };
}

export interface FittingCold extends OwnTransaction {
  readonly outgoingId: string;
  readonly subjectId: string;
  readonly senderId: number;
  readonly nonce: number | null;
}

/** The open transfer to cold storage that promises exactly what an outflow moved, locked; null where there is none. */
export async function lockFittingCold(
  tx: Tx,
  { chain, from, to, amount }: Pick<Transfer, 'chain' | 'from' | 'to' | 'amount'>,
): Promise<FittingCold | null> {
  const [row] = await tx.read<Omit<FittingCold, 'variants'>>(
    `SELECT o.outgoing_id AS "outgoingId", o.subject_id AS "subjectId", o.state, o.tx_id AS "txId",
       o.ended_at_ms AS "endedAtMs", o.sender_id AS "senderId", o.nonce
     FROM outgoing_transactions o JOIN senders USING (sender_id) JOIN addresses d USING (address_id)
     WHERE o.chain = $1 AND o.subject_kind = 'cold' AND o.next_at_ms IS NOT NULL AND d.address = $2
       AND o.to_address = $3 AND o.currency_id = $4 AND o.units = $5 FOR UPDATE OF o`,
    [chain, from, to, amount.currencyId, toNumeric(amount)],
  );
  if (row === undefined) return null;
  return { ...row, variants: await readOwnVariants(tx, row.outgoingId) };
}
