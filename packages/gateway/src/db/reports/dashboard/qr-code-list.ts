// The QR codes of several apps with their payments summed, newest first, and the payments of one, oldest first; in pages.
import type { Transfer } from '@ducat/core/chain/transfer';
import type { Amount } from '@ducat/core/money/amount';
import type { Reader } from '../../postgres/tx.ts';
import { fromNumeric } from '../../tables/amounts.ts';
import { oneOf } from '../../tables/one-of.ts';
import { isReversed } from '../../tables/transfers/reversals.ts';
import { toTransfer, type TransferRow } from '../../tables/transfers/transfer-row.ts';

export interface QrCodeRow {
  readonly qrCodeId: number;
  readonly appId: string;
  readonly name: string;
  readonly chain: string;
  readonly currencyId: number;
  readonly defaultAmount: Amount;
  /** Canonical. */
  readonly address: string;
  readonly createTime: number;
  readonly disabledTime: number | null;
  /** How many payments were counted, at most `countTo`, the newest ones. */
  readonly payments: number;
  readonly collected: Amount;
}

export interface QrCodePage {
  readonly appIds: readonly string[];
  readonly qrCodeId?: number | undefined;
  readonly before: number;
  readonly limit: number;
  /** Payments of a code are counted up to this many. */
  readonly countTo: number;
}

interface Row {
  readonly qr_code_id: number;
  readonly app_id: string;
  readonly name: string;
  readonly chain: string;
  readonly currency_id: number;
  readonly default_amount: string;
  readonly address: string;
  readonly create_time: number;
  readonly disabled_time: number | null;
  readonly payments: number;
  readonly collected: string;
}

export async function listMerchantQrCodes(
  reader: Reader,
  { appIds, qrCodeId, before, limit, countTo }: QrCodePage,
): Promise<readonly QrCodeRow[]> {
  const rows = await reader.read<Row>(
    `SELECT q.*, d.address, came.payments, came.collected FROM (
       SELECT q.* FROM unnest($1::text[]) AS a (id) CROSS JOIN LATERAL (
         SELECT * FROM qr_codes WHERE ${oneOf('app_id', 'a.id')} AND qr_code_id < $2
           ${qrCodeId === undefined ? '' : 'AND qr_code_id = $5'}
         ORDER BY app_id DESC, qr_code_id DESC LIMIT $3) AS q
       ORDER BY qr_code_id DESC LIMIT $3) AS q
     JOIN addresses d USING (address_id)
     CROSS JOIN LATERAL (
       SELECT count(*)::integer AS payments, coalesce(sum(t.units), 0)::text AS collected
       FROM (SELECT * FROM qr_payments p WHERE p.qr_code_id = q.qr_code_id ORDER BY trade_no DESC LIMIT $4) AS p
         JOIN transfers t USING (chain, tx_id, position) WHERE NOT ${isReversed('t')}) AS came
     ORDER BY q.qr_code_id DESC`,
    [appIds, before, limit, countTo, ...(qrCodeId === undefined ? [] : [qrCodeId])],
  );
  return rows.map((row) => ({
    qrCodeId: row.qr_code_id,
    appId: row.app_id,
    name: row.name,
    chain: row.chain,
    currencyId: row.currency_id,
    defaultAmount: fromNumeric(row.currency_id, row.default_amount),
    address: row.address,
    createTime: row.create_time,
    disabledTime: row.disabled_time,
    payments: row.payments,
    collected: fromNumeric(row.currency_id, row.collected),
  }));
}

export interface QrPaymentRow {
  readonly tradeNo: string;
  readonly transfer: Transfer;
  readonly disposition: 'payment' | 'late';
}

/** Payments of a code that the caller has found to be the merchant's, with numbers behind `behind`, lowest first. */
export async function listQrPayments(
  reader: Reader,
  { qrCodeId, behind, limit }: { readonly qrCodeId: number; readonly behind: string; readonly limit: number },
): Promise<readonly QrPaymentRow[]> {
  const rows = await reader.read<
    TransferRow & { readonly payment_no: string; readonly disposition: 'payment' | 'late' }
  >(
    `SELECT p.trade_no AS payment_no, t.* FROM (
       SELECT * FROM qr_payments WHERE ${oneOf('qr_code_id', '$1::integer')} AND trade_no > $2
       ORDER BY qr_code_id, trade_no LIMIT $3) AS p
     JOIN transfers t USING (chain, tx_id, position) ORDER BY p.trade_no`,
    [qrCodeId, behind, limit],
  );
  return rows.map((row) => ({
    tradeNo: row.payment_no,
    transfer: toTransfer(row),
    disposition: row.disposition,
  }));
}
