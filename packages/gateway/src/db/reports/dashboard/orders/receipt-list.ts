// Unassigned receipts of several apps or of all, newest first, in pages.
import type { Transfer } from '@ducat/core/chain/transfer';
import type { Reader } from '../../../postgres/tx.ts';
import { oneOf } from '../../../tables/one-of.ts';
import { isLeft } from '../../../tables/transfers/reversals.ts';
import { toTransfer, type TransferRow } from '../../../tables/transfers/transfer-row.ts';

export interface ReceiptListRow extends Transfer {
  readonly appId: string | null;
  readonly tradeNo: string | null;
  /** Null if the gateway itself owns the receipt. */
  readonly merchantId: string | null;
  readonly merchantName: string | null;
}

/** The row behind which a page begins. */
export interface ReceiptCursor {
  readonly time: number;
  readonly chain: string;
  readonly txId: string;
  readonly position: string;
}

export interface ReceiptFilter {
  /**
   * Null for all receipts, those at wallets included. A merchant does not see those at wallets, because the operator
   * sent that gas.
   */
  readonly appIds: readonly string[] | null;
  readonly behind: ReceiptCursor | null;
  readonly limit: number;
}

interface Row extends TransferRow {
  readonly app_id: string | null;
  readonly trade_no: string | null;
  readonly merchant_id: string | null;
  readonly merchant_name: string | null;
}

export async function listReceipts(
  reader: Reader,
  { appIds, behind, limit }: ReceiptFilter,
): Promise<readonly ReceiptListRow[]> {
  const { time, chain, txId, position } = behind ?? NEWEST;
  const rows = await reader.read<Row>(appIds === null ? OF_ALL : OF_APPS, [
    time,
    chain,
    txId,
    position,
    limit,
    ...(appIds === null ? [] : [appIds]),
  ]);
  return rows.map((row) => ({
    ...toTransfer(row),
    appId: row.app_id,
    tradeNo: row.trade_no,
    merchantId: row.merchant_id,
    merchantName: row.merchant_name,
  }));
}

/** The cursor of the first page, because no block is that young. */
const NEWEST: ReceiptCursor = { time: Number.MAX_SAFE_INTEGER, chain: '', txId: '', position: '' };

/** SQL: the receipt is not at a wallet. Gas that an operator sent to an app's wallet is not for its merchant to decide. */
export const notAtWallet = (transfers: string) =>
  `NOT EXISTS (SELECT FROM addresses d WHERE d.address_id = ${transfers}.address_id AND d.purpose = 'wallet')`;

const BEHIND = `disposition = 'unassigned' AND (block_time, chain, tx_id, position) < ($1, $2, $3, $4)`;
const ORDER = 'block_time DESC, chain DESC, tx_id DESC, position DESC';
const NAMED = 'LEFT JOIN apps a USING (app_id) LEFT JOIN merchants m USING (merchant_id)';

const OF_APPS = `
  SELECT t.*, m.merchant_id, m.name AS merchant_name FROM (
    SELECT t.* FROM unnest($6::text[]) AS w (id) CROSS JOIN LATERAL (
      SELECT * FROM transfers r WHERE ${BEHIND} AND ${oneOf('app_id', 'w.id')}
        AND ${notAtWallet('r')}
        AND ${isLeft('r')}
      ORDER BY app_id DESC, ${ORDER} LIMIT $5) AS t
    ORDER BY ${ORDER} LIMIT $5) AS t ${NAMED} ORDER BY ${ORDER}`;

const OF_ALL = `
  SELECT t.*, m.merchant_id, m.name AS merchant_name FROM (
    SELECT * FROM transfers r WHERE ${BEHIND} AND ${isLeft('r')} ORDER BY ${ORDER} LIMIT $5) AS t ${NAMED} ORDER BY ${ORDER}`;
