// Late orders that a person accepted as paid: what money the webhook names, and who said so.
import type { Transfer } from '@ducat/core/chain/transfer';
import type { Reader, Tx } from '../../postgres/tx.ts';
import { isReversed } from '../transfers/reversals.ts';
import { isSentBackWhole } from '../transfers/sent-back.ts';
import { toTransfer, type TransferRow } from '../transfers/transfer-row.ts';

/** The youngest final transfer that counts for an order and is neither refunded nor reversed; null if there is none. */
export async function readNewestPayment(reader: Reader, tradeNo: string): Promise<Transfer | null> {
  const [row] = await reader.read<TransferRow>(
    `SELECT * FROM transfers t
     WHERE trade_no = $1 AND state = 'final' AND disposition IN ('payment', 'late', 'extra')
       AND NOT ${isSentBackWhole('t')} AND NOT ${isReversed('t')}
     ORDER BY block_time DESC, block_number DESC, tx_id, position LIMIT 1`,
    [tradeNo],
  );
  return row === undefined ? null : toTransfer(row);
}

/** Whether a person accepted the late order. */
export async function isAccepted(reader: Reader, tradeNo: string): Promise<boolean> {
  const rows = await reader.read('SELECT FROM order_acceptances WHERE trade_no = $1', [tradeNo]);
  return rows.length > 0;
}

export interface NewAcceptance {
  readonly tradeNo: string;
  readonly by: string;
  readonly reason: string;
  readonly atMs: number;
}

/** A second acceptance of an order violates the primary key. */
export async function insertAcceptance(tx: Tx, { tradeNo, by, reason, atMs }: NewAcceptance): Promise<void> {
  await tx.write(
    'INSERT INTO order_acceptances (trade_no, accepted_by, reason, at_ms) VALUES ($1, $2, $3, $4)',
    [tradeNo, by, reason, atMs],
  );
}
