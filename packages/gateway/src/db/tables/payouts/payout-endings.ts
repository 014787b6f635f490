// Payouts that a person ended with a proof, and what that proof is read from.
import type { Transfer } from '@ducat/core/chain/transfer';
import type { OutgoingState } from '@ducat/core/outgoing/outgoing';
import type { Reader, Tx } from '../../postgres/tx.ts';
import type { TransferIdentity } from '../transfers/receipts.ts';
import { toTransfer, type TransferRow } from '../transfers/transfer-row.ts';

export interface NewEnding {
  readonly tradeNo: string;
  /** Which paid it; null where nothing can happen any more. */
  readonly transfer: TransferIdentity | null;
  readonly by: string;
  readonly reason: string;
  readonly atMs: number;
}

export async function insertEnding(
  tx: Tx,
  { tradeNo, transfer, by, reason, atMs }: NewEnding,
): Promise<void> {
  await tx.write(
    `INSERT INTO payout_endings (trade_no, chain, tx_id, position, ended_by, reason, at_ms)
     VALUES ($1, $2, $3, $4, $5, $6, $7)`,
    [tradeNo, transfer?.chain ?? null, transfer?.txId ?? null, transfer?.position ?? null, by, reason, atMs],
  );
}

/**
 * A final transfer out of a wallet of ours to a stranger that nobody meant to send, locked; null where there is none, or
 * where it paid a payout already.
 */
export async function lockOutflow(
  tx: Tx,
  { chain, txId, position }: TransferIdentity,
): Promise<Transfer | null> {
  const [row] = await tx.read<TransferRow>(
    `SELECT t.* FROM transfers t JOIN addresses d ON d.address_id = t.from_address_id AND d.purpose = 'wallet'
     WHERE t.chain = $1 AND t.tx_id = $2 AND t.position = $3 AND t.state = 'final' AND t.disposition = 'outgoing'
     FOR UPDATE OF t`,
    [chain, txId, position],
  );
  // Its own statement: the one that waited for the lock would still see no ending that was written meanwhile.
  const used = await tx.read('SELECT FROM payout_endings WHERE chain = $1 AND tx_id = $2 AND position = $3', [
    chain,
    txId,
    position,
  ]);
  return row === undefined || used.length > 0 ? null : toTransfer(row);
}

export interface Outflow {
  readonly transfer: Transfer;
  /** Open payouts of the wallet's app that promised exactly this. */
  readonly fits: readonly string[];
}

/** What left wallets of ours, and nobody meant to send and no payout has taken, the newest first. */
export async function listOutflows(reader: Reader, limit: number): Promise<readonly Outflow[]> {
  const rows = await reader.read<TransferRow & { readonly fits: readonly string[] }>(
    `SELECT t.*, ARRAY(SELECT p.trade_no FROM payouts p
         WHERE p.status IN ('PROGRESS', 'CONFIRMING-PROGRESS') AND p.chain = t.chain AND p.to_address = t.to_address
           AND p.app_id = d.app_id AND p.currency_id = t.currency_id AND p.receipt = t.units ORDER BY p.trade_no LIMIT 10) AS fits
     FROM transfers t JOIN addresses d ON d.address_id = t.from_address_id AND d.purpose = 'wallet'
     WHERE t.state = 'final' AND t.disposition = 'outgoing' AND NOT EXISTS (SELECT FROM payout_endings e
       WHERE e.chain = t.chain AND e.tx_id = t.tx_id AND e.position = t.position)
     ORDER BY t.block_time DESC, t.chain, t.tx_id, t.position LIMIT $1`,
    [limit],
  );
  return rows.map((row) => ({ transfer: toTransfer(row), fits: row.fits }));
}

export interface PayoutTransaction {
  readonly state: OutgoingState;
  /** The newest signed one; null before the first. */
  readonly txId: string | null;
  readonly endedAtMs: number | null;
}

/** The one outgoing transaction of a payout, locked; null where it never asked for one. */
export async function lockTransaction(tx: Tx, tradeNo: string): Promise<PayoutTransaction | null> {
  const [row] = await tx.read<PayoutTransaction>(
    `SELECT state, tx_id AS "txId", ended_at_ms AS "endedAtMs" FROM outgoing_transactions
     WHERE subject_kind = 'payout' AND subject_id = $1 FOR UPDATE`,
    [tradeNo],
  );
  return row ?? null;
}
