// Refunds of receipts: which payout sends back which receipt, who decided it, and which refunds stand.
import type { PayoutStatus } from '@ducat/core/payout/payout';
import type { Reader, Tx } from '../../postgres/tx.ts';
import type { TransferIdentity } from '../transfers/receipts.ts';
import { REFUND_STANDS } from '../transfers/sent-back.ts';

export interface NewRefund {
  readonly tradeNo: string;
  readonly receipt: TransferIdentity;
  readonly by: string;
  readonly reason: string;
  readonly atMs: number;
}

export interface ListedRefund extends NewRefund {
  readonly appId: string;
  readonly status: PayoutStatus;
  /** The transaction that paid; null before. */
  readonly txId: string | null;
}

/** SQL: how much of the whole counts as sent back by a payout. */
export const sentBackBy = (whole: string) =>
  `CASE p.status WHEN 'FAIL' THEN p.kept WHEN 'CANCEL' THEN 0 ELSE ${whole} END`;

export async function insertRefund(tx: Tx, { tradeNo, receipt, by, reason, atMs }: NewRefund): Promise<void> {
  await tx.write(
    `INSERT INTO receipt_refunds (trade_no, chain, tx_id, position, refunded_by, reason, at_ms)
     VALUES ($1, $2, $3, $4, $5, $6, $7)`,
    [tradeNo, receipt.chain, receipt.txId, receipt.position, by, reason, atMs],
  );
}

/** Whether a refund of a receipt stands, or sent back a part of it. Read it in a statement after the lock on the receipt. */
export async function hasRefund(
  reader: Reader,
  { chain, txId, position }: TransferIdentity,
): Promise<boolean> {
  const rows = await reader.read(
    `SELECT FROM receipt_refunds r JOIN payouts p USING (trade_no)
     WHERE r.chain = $1 AND r.tx_id = $2 AND r.position = $3 AND ${REFUND_STANDS}`,
    [chain, txId, position],
  );
  return rows.length > 0;
}

interface RefundRow {
  readonly trade_no: string;
  readonly app_id: string;
  readonly chain: string;
  readonly tx_id: string;
  readonly position: string;
  readonly refunded_by: string;
  readonly reason: string;
  readonly at_ms: number;
  readonly status: PayoutStatus;
  readonly end_tx_id: string | null;
}

/** The newest refunds; of all apps where `appId` is null. */
export async function listRefunds(
  reader: Reader,
  { appId, limit }: { readonly appId: string | null; readonly limit: number },
): Promise<readonly ListedRefund[]> {
  const rows = await reader.read<RefundRow>(
    `SELECT r.*, p.app_id, p.status, p.end_tx_id FROM receipt_refunds r JOIN payouts p USING (trade_no)
     WHERE $1::text IS NULL OR p.app_id = $1 ORDER BY r.trade_no DESC LIMIT $2`,
    [appId, limit],
  );
  return rows.map((row) => ({
    tradeNo: row.trade_no,
    appId: row.app_id,
    receipt: { chain: row.chain, txId: row.tx_id, position: row.position },
    by: row.refunded_by,
    reason: row.reason,
    atMs: row.at_ms,
    status: row.status,
    txId: row.end_tx_id,
  }));
}
