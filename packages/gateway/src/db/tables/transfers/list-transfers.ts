// What the addresses of an app received, newest first, in pages.
import type { Transfer } from '@ducat/core/chain/transfer';
import type { Reader } from '../../postgres/tx.ts';
import { toTransfer, type TransferRow } from './transfer-row.ts';

/** A transfer as a list shows it. */
export interface ListedTransfer extends Transfer {
  readonly state: 'proposed' | 'seen' | 'final' | 'orphaned';
  /** The disposition of the transfer; null until it is final. */
  readonly disposition: string | null;
  /** The order that its address belonged to; null for none. */
  readonly tradeNo: string | null;
}

export interface TransferPage {
  readonly appId: string;
  /** Only transfers in blocks up to this time, Unix seconds. */
  readonly until: number;
  /** At most this many, and never more than `MAX_LISTED_TRANSFERS`. */
  readonly limit: number;
}

/** The longest page of transfers. */
const MAX_LISTED_TRANSFERS = 1_000;

interface Row extends TransferRow {
  readonly state: ListedTransfer['state'];
  readonly disposition: string | null;
  readonly trade_no: string | null;
}

export async function listTransfers(
  reader: Reader,
  { appId, until, limit }: TransferPage,
): Promise<readonly ListedTransfer[]> {
  const rows = await reader.read<Row>(TRANSFER_LIST, [appId, until, Math.min(limit, MAX_LISTED_TRANSFERS)]);
  return rows.map((row) => ({
    ...toTransfer(row),
    state: row.state,
    disposition: row.disposition,
    tradeNo: row.trade_no,
  }));
}

/** Parameters: app, time and limit. BETWEEN for the reason in `list-orders.ts`. */
export const TRANSFER_LIST = `
  SELECT * FROM transfers WHERE app_id BETWEEN $1 AND $1 AND block_time <= $2
  ORDER BY app_id DESC, block_time DESC LIMIT $3`;
