// Payments to QR codes: each transfer under a number of its own.
import type { QrPayment } from '@ducat/core/qr/settle-qr-payment';
import type { Reader, Tx } from '../../postgres/tx.ts';
import { isCounterpart, isReversed } from '../transfers/reversals.ts';
import { identityLists, toTransfer, type TransferRow } from '../transfers/transfer-row.ts';
import type { Transfer } from '@ducat/core/chain/transfer';

/** A payment with its number. */
export interface NumberedQrPayment extends QrPayment {
  readonly tradeNo: string;
}

/** A transfer that has a number already violates `qr_payments_one_per_transfer`. */
export async function insertQrPayments(tx: Tx, payments: readonly NumberedQrPayment[]): Promise<void> {
  if (payments.length === 0) return;
  await tx.write(
    `INSERT INTO qr_payments (trade_no, qr_code_id, chain, tx_id, position)
     SELECT * FROM unnest($1::text[], $2::integer[], $3::text[], $4::text[], $5::text[])`,
    [
      payments.map(({ tradeNo }) => tradeNo),
      payments.map(({ qrCode }) => qrCode.qrCodeId),
      ...identityLists(payments.map(({ transfer }) => transfer)),
    ],
  );
}

/** Where the webhooks of these apps go; an app without an address is left out. */
export async function readCallbackUrls(
  reader: Reader,
  appIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (appIds.length === 0) return new Map();
  const rows = await reader.read<{ app_id: string; callback_url: string }>(
    'SELECT app_id, callback_url FROM apps WHERE app_id = ANY($1::text[]) AND callback_url IS NOT NULL',
    [appIds],
  );
  return new Map(rows.map((row) => [row.app_id, row.callback_url]));
}

/** A transfer to the address of a code, whether it counts or not. */
export interface ListedQrTransfer {
  readonly transfer: Transfer;
  readonly state: 'seen' | 'final';
  /** The disposition of the transfer; null until it is final. */
  readonly disposition: string | null;
  /** Null if the transfer is not final, or counts for no code. */
  readonly tradeNo: string | null;
}

/** The newest first, without transfers that a reorg took away. */
export async function listQrTransfers(
  reader: Reader,
  qrCodeId: number,
  limit: number,
): Promise<readonly ListedQrTransfer[]> {
  const rows = await reader.read<
    TransferRow & Pick<ListedQrTransfer, 'state' | 'disposition'> & { readonly payment: string | null }
  >(
    `SELECT t.*, p.trade_no AS payment
     FROM qr_codes q JOIN transfers t ON t.address_id = q.address_id
       LEFT JOIN qr_payments p ON p.chain = t.chain AND p.tx_id = t.tx_id AND p.position = t.position
     WHERE q.qr_code_id = $1 AND t.state IN ('seen', 'final') AND NOT ${isReversed('t')}
       AND NOT ${isCounterpart('t')}
     ORDER BY t.block_time DESC, t.block_number DESC, t.ordinal DESC LIMIT $2`,
    [qrCodeId, limit],
  );
  return rows.map((row) => ({
    transfer: toTransfer(row),
    state: row.state,
    disposition: row.disposition,
    tradeNo: row.payment,
  }));
}
