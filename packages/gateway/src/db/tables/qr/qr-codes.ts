// QR codes: made with an address of their own, found for answers, switched off and on.
import type { QrCode } from '@ducat/core/qr/qr-code';
import type { Amount } from '@ducat/core/money/amount';
import { fromNumeric, toNumeric } from '../amounts.ts';
import type { Reader, SqlValue, Tx } from '../../postgres/tx.ts';
import { isReversed } from '../transfers/reversals.ts';

export interface QrCodeRecord extends QrCode {
  readonly inputHash: string;
  readonly name: string;
  readonly chain: string;
  /** Zero where the payer chooses. */
  readonly defaultAmount: Amount;
  /** Canonical text. */
  readonly address: string;
}

/** A code as it is answered: with what proves its address. */
export interface QrCodeDetail extends QrCodeRecord {
  readonly addressIndex: number;
  readonly accountPublicKey: string;
}

interface QrCodeRow {
  readonly qr_code_id: number;
  readonly app_id: string;
  readonly input_hash: string;
  readonly name: string;
  readonly chain: string;
  readonly currency_id: number;
  readonly default_amount: string;
  readonly create_time: number;
  readonly disabled_time: number | null;
  readonly address: string;
}

interface DetailRow extends QrCodeRow {
  readonly derivation_index: number;
  readonly account_public_key: string;
}

/** The code that a call of this app made; null where there is none. */
export async function findQrCodeByKey(
  reader: Reader,
  appId: string,
  idempotencyKey: string,
): Promise<QrCodeDetail | null> {
  const [row] = await reader.read<DetailRow>(
    `SELECT q.*, d.address, d.derivation_index, k.account_public_key
     FROM qr_codes q JOIN addresses d USING (address_id)
       JOIN account_keys k ON k.app_id = d.app_id AND k.family = d.family
     WHERE q.app_id = $1 AND q.idempotency_key = $2`,
    [appId, idempotencyKey],
  );
  return row === undefined ? null : toDetail(row);
}

export interface NewQrCode {
  readonly appId: string;
  readonly idempotencyKey: string;
  /** The signature of the request that makes the code. */
  readonly signature: string;
  readonly inputHash: string;
  readonly name: string;
  readonly chain: string;
  readonly family: string;
  readonly currencyId: number;
  readonly defaultAmount: Amount;
  readonly createTime: number;
}

/**
 * Takes an address from the pool for good and writes the code, in one statement; null if the pool is empty. A second
 * code of one call or one signature violates a unique key, and the address stays free.
 */
export async function insertQrCode(tx: Tx, code: NewQrCode): Promise<QrCodeDetail | null> {
  const [row] = await tx.write<DetailRow>(INSERT, [
    code.appId,
    code.family,
    code.idempotencyKey,
    code.inputHash,
    code.name,
    code.chain,
    code.currencyId,
    toNumeric(code.defaultAmount),
    code.createTime,
    code.signature,
  ]);
  return row === undefined ? null : toDetail(row);
}

// The pool is searched as in `new-orders.ts`.
const INSERT = `
  WITH taken AS (
    UPDATE addresses SET purpose = 'static'
    WHERE address_id = (
      SELECT address_id FROM addresses
      WHERE (app_id, family, address_id) >= ($1, $2, 0) AND (app_id, family) <= ($1, $2)
        AND purpose = 'order' AND trade_no IS NULL AND NOT retired
      ORDER BY app_id, family, address_id LIMIT 1 FOR UPDATE SKIP LOCKED)
    RETURNING address_id, address, derivation_index, family
  ), added AS (
    INSERT INTO qr_codes (app_id, idempotency_key, input_hash, name, chain, currency_id, default_amount, address_id,
      create_time, signature)
    SELECT $1, $3, $4, $5, $6, $7, $8::numeric, address_id, $9, $10 FROM taken RETURNING *
  )
  SELECT added.*, taken.address, taken.derivation_index, k.account_public_key
  FROM added JOIN taken USING (address_id) JOIN account_keys k ON k.app_id = added.app_id AND k.family = taken.family`;

export interface QrCodeFilter {
  readonly appId?: string | undefined;
  readonly qrCodeId?: number | undefined;
  readonly limit: number;
}

/** A code with the number of its payments and their sum, late ones included. */
export interface ListedQrCode extends QrCodeRecord {
  readonly payments: number;
  readonly collected: Amount;
}

/** The newest first. */
export async function listQrCodes(
  reader: Reader,
  { appId, qrCodeId, limit }: QrCodeFilter,
): Promise<readonly ListedQrCode[]> {
  const values: SqlValue[] = [limit];
  const conditions = ['true'];
  if (appId !== undefined) conditions.push(`q.app_id = $${values.push(appId)}`);
  if (qrCodeId !== undefined) conditions.push(`q.qr_code_id = $${values.push(qrCodeId)}`);
  const rows = await reader.read<QrCodeRow & { readonly payments: number; readonly collected: string }>(
    `SELECT q.*, d.address, came.payments, came.collected
     FROM (SELECT * FROM qr_codes q WHERE ${conditions.join(' AND ')} ORDER BY qr_code_id DESC LIMIT $1) AS q
       JOIN addresses d USING (address_id)
       CROSS JOIN LATERAL (
         SELECT count(*) AS payments, coalesce(sum(t.units), 0)::text AS collected
         FROM qr_payments p JOIN transfers t USING (chain, tx_id, position)
         WHERE p.qr_code_id = q.qr_code_id AND NOT ${isReversed('t')}) AS came
     ORDER BY q.qr_code_id DESC`,
    values,
  );
  return rows.map((row) => ({
    ...toRecord(row),
    payments: row.payments,
    collected: fromNumeric(row.currency_id, row.collected),
  }));
}

/** Disables a code as of a time (Unix seconds), or enables it with null; whether it was there. */
export async function updateDisabledTime(
  tx: Tx,
  qrCodeId: number,
  disabledTime: number | null,
): Promise<boolean> {
  // A code that is disabled already keeps its first time.
  const rows = await tx.write(
    `UPDATE qr_codes SET disabled_time = CASE WHEN $2::bigint IS NOT NULL THEN coalesce(disabled_time, $2::bigint) END
     WHERE qr_code_id = $1 RETURNING 1`,
    [qrCodeId, disabledTime],
  );
  return rows.length > 0;
}

function toRecord(row: QrCodeRow): QrCodeRecord {
  return {
    qrCodeId: row.qr_code_id,
    appId: row.app_id,
    inputHash: row.input_hash,
    name: row.name,
    chain: row.chain,
    currencyId: row.currency_id,
    defaultAmount: fromNumeric(row.currency_id, row.default_amount),
    createTime: row.create_time,
    disabledTime: row.disabled_time,
    address: row.address,
  };
}

function toDetail(row: DetailRow): QrCodeDetail {
  return {
    ...toRecord(row),
    addressIndex: row.derivation_index,
    accountPublicKey: row.account_public_key,
  };
}
