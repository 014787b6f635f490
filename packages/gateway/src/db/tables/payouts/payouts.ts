// Payouts: written when they are made, found for answers, locked for transitions.
import type { Amount } from '@ducat/core/money/amount';
import type { Payout, PayoutSource, PayoutStatus } from '@ducat/core/payout/payout';
import type { Reader, Tx } from '../../postgres/tx.ts';
import { fromNumeric, toNumeric } from '../amounts.ts';
import { readyIds } from '../outgoing/fair-share.ts';

export interface PayoutRecord extends Payout {
  readonly inputHash: string;
  /** The value of the amount when the payout was asked for, in 10^-6 USD; null if no price was known. */
  readonly value: bigint | null;
  readonly callbackUrl: string | null;
  /** How the payout ended; null before. */
  readonly end: PayoutEnd | null;
}

/** The transaction and the time of its block, or who cancelled it, why and when. Unix seconds. */
export interface PayoutEnd {
  readonly time: number;
  readonly txId: string | null;
  readonly by: string | null;
  readonly reason: string | null;
  /** Whether the second person who was asked cancelled it. */
  readonly isDeclined?: boolean;
  /** What the recipient of a failed payout got all the same. */
  readonly kept?: Amount;
}

interface PayoutRow {
  readonly trade_no: string;
  readonly app_id: string;
  readonly input_hash: string;
  readonly chain: string;
  readonly currency_id: number;
  readonly source: PayoutSource;
  readonly to_address: string;
  readonly amount: string;
  readonly service_charge: string;
  readonly gas: string;
  readonly receipt: string;
  readonly reserved: string;
  readonly fee_currency_id: number;
  readonly network_fee: string;
  readonly fee_cap: string;
  readonly value: string | null;
  readonly status: PayoutStatus;
  readonly needs_approval: boolean;
  readonly approved_until: number | null;
  readonly claimed: boolean;
  readonly callback_url: string | null;
  readonly create_time: number;
  readonly start_time: number | null;
  readonly end_tx_id: string | null;
  readonly end_time: number | null;
  readonly ended_by: string | null;
  readonly end_reason: string | null;
}

export interface NewPayout extends PayoutRecord {
  readonly idempotencyKey: string;
  /** The signature of the request, in lower case. */
  readonly signature: string;
}

/** A second payout of the same call, or of the same signature, violates a unique key. */
export async function insertPayout(tx: Tx, payout: NewPayout): Promise<void> {
  await tx.write(
    `INSERT INTO payouts (trade_no, app_id, idempotency_key, signature, input_hash, chain, currency_id, to_address, amount,
       service_charge, gas, receipt, reserved, fee_currency_id, network_fee, fee_cap, value, status, needs_approval, callback_url,
       create_time, source)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22)`,
    [
      payout.tradeNo,
      payout.appId,
      payout.idempotencyKey,
      payout.signature,
      payout.inputHash,
      payout.chain,
      payout.currencyId,
      payout.toAddress,
      toNumeric(payout.amount),
      toNumeric(payout.serviceCharge),
      toNumeric(payout.gas),
      toNumeric(payout.receipt),
      toNumeric(payout.reserved),
      payout.networkFee.currencyId,
      toNumeric(payout.networkFee),
      toNumeric(payout.feeCap),
      payout.value === null ? null : payout.value.toString(),
      payout.status,
      payout.needsApproval,
      payout.callbackUrl,
      payout.createTime,
      payout.source,
    ],
  );
}

/** A payout of this app by its trade_no; null for an unknown one and for another app's alike. */
export async function findPayout(
  reader: Reader,
  appId: string,
  tradeNo: string,
): Promise<PayoutRecord | null> {
  const [row] = await reader.read<PayoutRow>('SELECT * FROM payouts WHERE trade_no = $1 AND app_id = $2', [
    tradeNo,
    appId,
  ]);
  return row === undefined ? null : toRecord(row);
}

/** A payout of whichever app. */
export async function readPayout(reader: Reader, tradeNo: string): Promise<PayoutRecord | null> {
  const [row] = await reader.read<PayoutRow>('SELECT * FROM payouts WHERE trade_no = $1', [tradeNo]);
  return row === undefined ? null : toRecord(row);
}

/** The payout that a call of this app made, by the idempotency key of the call. */
export async function findPayoutByKey(
  reader: Reader,
  appId: string,
  idempotencyKey: string,
): Promise<PayoutRecord | null> {
  const [row] = await reader.read<PayoutRow>(
    'SELECT * FROM payouts WHERE app_id = $1 AND idempotency_key = $2',
    [appId, idempotencyKey],
  );
  return row === undefined ? null : toRecord(row);
}

export interface PayoutOfKey {
  readonly idempotencyKey: string;
  readonly tradeNo: string;
  readonly status: PayoutStatus;
}

/** The payouts of this app that calls with these idempotency keys made. */
export function listPayoutsByKeys(
  reader: Reader,
  appId: string,
  idempotencyKeys: readonly string[],
): Promise<readonly PayoutOfKey[]> {
  return reader.read<PayoutOfKey>(
    `SELECT idempotency_key AS "idempotencyKey", trade_no AS "tradeNo", status FROM payouts
     WHERE app_id = $1 AND idempotency_key = ANY ($2::text[])`,
    [appId, idempotencyKeys],
  );
}

/** Whether a request with this signature made a payout, under any idempotency key. */
export async function isSignatureUsed(reader: Reader, appId: string, signature: string): Promise<boolean> {
  const rows = await reader.read('SELECT FROM payouts WHERE app_id = $1 AND signature = $2', [
    appId,
    signature,
  ]);
  return rows.length > 0;
}

/** A payout that a transition is about to change, with the address for its webhook. */
export interface LockedPayout extends PayoutRecord {
  /** Its own callback_url, else the app's as it is now; null where neither is set. */
  readonly deliverTo: string | null;
}

interface LockedRow extends PayoutRow {
  readonly deliver_to: string | null;
}

const LOCKED =
  'SELECT p.*, coalesce(p.callback_url, a.callback_url) AS deliver_to FROM payouts p JOIN apps a USING (app_id)';

/** One payout, locked until the transaction ends; null where there is none. */
export async function lockPayout(tx: Tx, tradeNo: string): Promise<LockedPayout | null> {
  const [row] = await tx.read<LockedRow>(`${LOCKED} WHERE p.trade_no = $1 FOR UPDATE OF p`, [tradeNo]);
  return row === undefined ? null : toLocked(row);
}

/**
 * Payouts of a chain that may be sent, the oldest of each app in turn, locked, busy ones skipped. None while the chain
 * is halted, in a suspended currency, or of an app without a wallet.
 */
export async function lockReadyPayouts(
  tx: Tx,
  { name, family }: { readonly name: string; readonly family: string },
  { nowMs, limit, only }: { readonly nowMs: number; readonly limit: number; readonly only: string | null },
): Promise<readonly LockedPayout[]> {
  const rows = await tx.read<LockedRow>(
    `WITH ${readyIds('FOR UPDATE SKIP LOCKED')} ${LOCKED} WHERE p.trade_no IN (SELECT trade_no FROM ready_ids) AND p.status = 'PROGRESS'
       AND NOT p.claimed ORDER BY p.trade_no FOR UPDATE OF p SKIP LOCKED`,
    [name, nowMs, limit, only, family],
  );
  return rows.map(toLocked);
}

/** Writes what a transition changed of a payout that was locked before. `end` is given if the transition ended it. */
export async function updatePayout(tx: Tx, payout: Payout, end: PayoutEnd | null = null): Promise<void> {
  await tx.write(
    `UPDATE payouts SET status = $2, approved_until = $3, claimed = $4, start_time = $5,
       end_tx_id = coalesce($6, end_tx_id), end_time = coalesce($7, end_time), ended_by = coalesce($8, ended_by),
       end_reason = coalesce($9, end_reason), declined = declined OR $10, kept = coalesce($11, kept)
     WHERE trade_no = $1`,
    [
      payout.tradeNo,
      payout.status,
      payout.approvedUntil,
      payout.isClaimed,
      payout.startTime,
      end?.txId ?? null,
      end?.time ?? null,
      end?.by ?? null,
      end?.reason ?? null,
      end?.isDeclined ?? false,
      end?.kept === undefined ? null : toNumeric(end.kept),
    ],
  );
}

export interface PayoutPage {
  readonly appId?: string | undefined;
  readonly status?: PayoutStatus | undefined;
  readonly limit: number;
}

/** The newest payouts. */
export async function listPayouts(
  reader: Reader,
  { appId, status, limit }: PayoutPage,
): Promise<readonly PayoutRecord[]> {
  const conditions = ['true'];
  const values: (string | number)[] = [limit];
  // BETWEEN, because for an equality the planner drops the app from ORDER BY, see `list-orders.ts`.
  if (appId !== undefined) conditions.push(`app_id BETWEEN $${values.push(appId)} AND $${values.length}`);
  if (status !== undefined) conditions.push(`status = $${values.push(status)}`);
  const order = appId === undefined ? 'trade_no DESC' : 'app_id DESC, trade_no DESC';
  const rows = await reader.read<PayoutRow>(
    `SELECT * FROM payouts WHERE ${conditions.join(' AND ')} ORDER BY ${order} LIMIT $1`,
    values,
  );
  return rows.map(toRecord);
}

function toLocked(row: LockedRow): LockedPayout {
  return { ...toRecord(row), deliverTo: row.deliver_to };
}

function toRecord(row: PayoutRow): PayoutRecord {
  const units = (text: string) => fromNumeric(row.currency_id, text);
  const { end_time: time, end_tx_id: txId, ended_by: by, end_reason: reason } = row;
  return {
    tradeNo: row.trade_no,
    appId: row.app_id,
    inputHash: row.input_hash,
    chain: row.chain,
    currencyId: row.currency_id,
    source: row.source,
    toAddress: row.to_address,
    amount: units(row.amount),
    serviceCharge: units(row.service_charge),
    gas: units(row.gas),
    receipt: units(row.receipt),
    reserved: units(row.reserved),
    networkFee: fromNumeric(row.fee_currency_id, row.network_fee),
    feeCap: fromNumeric(row.fee_currency_id, row.fee_cap),
    value: row.value === null ? null : BigInt(row.value),
    status: row.status,
    needsApproval: row.needs_approval,
    approvedUntil: row.approved_until,
    isClaimed: row.claimed,
    callbackUrl: row.callback_url,
    createTime: row.create_time,
    startTime: row.start_time,
    end: time === null ? null : { time, txId, by, reason },
  };
}
