// Payouts of several apps or of all, newest first, in pages, with who asked for them and where the money goes.
import type { PayoutStatus } from '@ducat/core/payout/payout';
import type { Amount } from '@ducat/core/money/amount';
import type { Reader, SqlValue } from '../../../postgres/tx.ts';
import { fromNumeric } from '../../../tables/amounts.ts';
import { oneOf } from '../../../tables/one-of.ts';
import { readLookedThrough } from '../looked-through.ts';
import { rowsLookedAt } from '../rows-looked-at.ts';

export interface PayoutListRow {
  readonly tradeNo: string;
  readonly appId: string;
  readonly merchantId: string;
  readonly merchantName: string;
  readonly chain: string;
  readonly status: PayoutStatus;
  readonly currencyId: number;
  readonly amount: Amount;
  readonly receipt: Amount;
  readonly serviceCharge: Amount;
  readonly gas: Amount;
  readonly reserved: Amount;
  readonly networkFee: Amount;
  readonly feeCap: Amount;
  /** Canonical. */
  readonly toAddress: string;
  readonly toLabel: string | null;
  /** Null if it was asked for by the API. */
  readonly askedBy: { readonly personId: string; readonly name: string } | null;
  readonly needsApproval: boolean;
  readonly approvedUntil: number | null;
  readonly isClaimed: boolean;
  /** In 10^-6 USD, when it was asked for; null if no price was known. */
  readonly value: bigint | null;
  readonly createTime: number;
  readonly startTime: number | null;
  readonly endTime: number | null;
  readonly endTxId: string | null;
  readonly endedBy: string | null;
  readonly endReason: string | null;
  /** Whether the second person who was asked cancelled it. */
  readonly isDeclined: boolean;
}

export interface PayoutFilter {
  /** Null for all apps. */
  readonly appIds: readonly string[] | null;
  readonly tradeNo?: string | undefined;
  readonly status?: PayoutStatus | undefined;
  readonly isOpen?: boolean | undefined;
  readonly isToApprove?: boolean | undefined;
  readonly currencyId?: number | undefined;
  /** Only payouts before this number, and from the number `from` on. */
  readonly before: string;
  readonly from: string;
  /** Unix seconds. */
  readonly now: number;
  readonly limit: number;
}

interface Row {
  readonly trade_no: string;
  readonly app_id: string;
  readonly merchant_id: string;
  readonly merchant_name: string;
  readonly chain: string;
  readonly status: PayoutStatus;
  readonly currency_id: number;
  readonly amount: string;
  readonly receipt: string;
  readonly service_charge: string;
  readonly gas: string;
  readonly reserved: string;
  readonly fee_currency_id: number;
  readonly network_fee: string;
  readonly fee_cap: string;
  readonly to_address: string;
  readonly to_label: string | null;
  readonly person_id: string | null;
  readonly person_name: string | null;
  readonly needs_approval: boolean;
  readonly approved_until: number | null;
  readonly claimed: boolean;
  readonly value: string | null;
  readonly create_time: number;
  readonly start_time: number | null;
  readonly end_time: number | null;
  readonly end_tx_id: string | null;
  readonly ended_by: string | null;
  readonly end_reason: string | null;
  readonly declined: boolean;
}

export interface PayoutPage {
  readonly payouts: readonly PayoutListRow[];
  /** Set if the page ended before it was full: payouts from this one on were searched, older ones were not. */
  readonly searchedTo: string | null;
}

/** One page of a list. For a filter without an index, a bounded number of rows is searched. */
export async function pageOfPayouts(
  reader: Reader,
  filter: PayoutFilter & { readonly appIds: readonly string[] },
): Promise<PayoutPage> {
  const { appIds, limit } = filter;
  if (!isLookedThrough(filter))
    return { payouts: await listMerchantPayouts(reader, filter), searchedTo: null };
  const { sql: found, values } = payoutListOf(filter);
  const parameters = [...values];
  const parameter = (value: SqlValue) => `$${parameters.push(value)}`;
  const floor = floorOf(parameter(appIds), parameter(depthOf(appIds, limit) - 1));
  const look = { found, floor, id: 'trade_no', values: parameters, limit };
  const { rows, searchedTo } = await readLookedThrough<Row>(reader, look);
  return { payouts: rows.map(toPayoutListRow), searchedTo };
}

const isLookedThrough = (filter: PayoutFilter) =>
  !isByOpen(filter) && (filter.status !== undefined || filter.currencyId !== undefined);
const isByOpen = ({ status, isOpen, isToApprove }: PayoutFilter) =>
  isOpen === true || isToApprove === true || (status !== undefined && isOpenStatus(status));
const isOpenStatus = (status: PayoutStatus) => status === 'PROGRESS' || status === 'CONFIRMING-PROGRESS';
const depthOf = (appIds: readonly string[], limit: number) => rowsLookedAt({ lists: appIds.length, limit });

const SPAN = 'trade_no < $1 AND trade_no >= $2';

/** SQL: the oldest payout that was searched, if there are more. */
function floorOf(appIds: string, depth: string): string {
  return `
    SELECT max(trade_no) AS floor FROM unnest(${appIds}::text[]) AS w (id) CROSS JOIN LATERAL (
      SELECT trade_no FROM payouts WHERE ${oneOf('app_id', 'w.id')} AND ${SPAN}
      ORDER BY app_id DESC, trade_no DESC OFFSET ${depth} LIMIT 1) AS deepest`;
}

export async function listMerchantPayouts(
  reader: Reader,
  filter: PayoutFilter,
): Promise<readonly PayoutListRow[]> {
  const { sql, values } = payoutListOf(filter);
  return (await reader.read<Row>(sql, values)).map(toPayoutListRow);
}

const OPEN = `status IN ('PROGRESS', 'CONFIRMING-PROGRESS')`;

/** The statement. Open payouts, and so those that wait for approval, have an index of their own, which stays small. */
function payoutListOf(filter: PayoutFilter): {
  readonly sql: string;
  readonly values: readonly SqlValue[];
} {
  const { appIds, tradeNo, status, isToApprove = false, currencyId, before, from, now, limit } = filter;
  const values: SqlValue[] = [before, from, limit];
  const parameter = (value: SqlValue) => `$${values.push(value)}`;
  const conditions = [SPAN];
  if (tradeNo !== undefined) conditions.push(`trade_no = ${parameter(tradeNo)}`);
  if (isByOpen(filter)) conditions.push(OPEN);
  if (isToApprove)
    conditions.push(
      `status = 'PROGRESS'`,
      'needs_approval',
      'NOT claimed',
      `(approved_until IS NULL OR approved_until <= ${parameter(now)})`,
    );
  const where = conditions.join(' AND ');
  const rest = ['true'];
  if (status !== undefined) rest.push(`status = ${parameter(status)}`);
  if (currencyId !== undefined) rest.push(`currency_id = ${parameter(currencyId)}`);
  const late = rest.join(' AND ');
  const depth = appIds !== null && isLookedThrough(filter) ? parameter(depthOf(appIds, limit)) : '$3';
  // Open payouts are read by their own index, across all apps. Others are read app by app, as in `order-list.ts`.
  const page =
    appIds === null
      ? `SELECT * FROM payouts WHERE ${where} AND ${late} ORDER BY trade_no DESC LIMIT $3`
      : isByOpen(filter)
        ? `SELECT * FROM payouts WHERE ${where} AND ${late} AND app_id = ANY (${parameter(appIds)}::text[])
           ORDER BY trade_no DESC LIMIT $3`
        : `SELECT p.* FROM unnest(${parameter(appIds)}::text[]) AS w (id) CROSS JOIN LATERAL (
             SELECT * FROM payouts WHERE ${oneOf('app_id', 'w.id')} AND ${where}
             ORDER BY app_id DESC, trade_no DESC LIMIT ${depth}) AS p
           WHERE ${late} ORDER BY trade_no DESC LIMIT $3`;
  const sql = `
    SELECT p.*, a.merchant_id, m.name AS merchant_name, l.label AS to_label, k.person_id, w.name AS person_name
    FROM (${page}) AS p JOIN apps a USING (app_id) JOIN merchants m USING (merchant_id)
      LEFT JOIN payout_askers k USING (trade_no) LEFT JOIN people w ON w.person_id = k.person_id
      LEFT JOIN LATERAL (
        SELECT label FROM payout_addresses x WHERE x.app_id = p.app_id AND x.address = p.to_address LIMIT 1) AS l ON true
    ORDER BY p.trade_no DESC`;
  return { sql, values };
}

function toPayoutListRow(row: Row): PayoutListRow {
  const units = (text: string) => fromNumeric(row.currency_id, text);
  const { person_id: personId, person_name: name } = row;
  return {
    tradeNo: row.trade_no,
    appId: row.app_id,
    merchantId: row.merchant_id,
    merchantName: row.merchant_name,
    chain: row.chain,
    status: row.status,
    currencyId: row.currency_id,
    amount: units(row.amount),
    receipt: units(row.receipt),
    serviceCharge: units(row.service_charge),
    gas: units(row.gas),
    reserved: units(row.reserved),
    networkFee: fromNumeric(row.fee_currency_id, row.network_fee),
    feeCap: fromNumeric(row.fee_currency_id, row.fee_cap),
    toAddress: row.to_address,
    toLabel: row.to_label,
    askedBy: personId === null ? null : { personId, name: name ?? '' },
    needsApproval: row.needs_approval,
    approvedUntil: row.approved_until,
    isClaimed: row.claimed,
    value: row.value === null ? null : BigInt(row.value),
    createTime: row.create_time,
    startTime: row.start_time,
    endTime: row.end_time,
    endTxId: row.end_tx_id,
    endedBy: row.ended_by,
    endReason: row.end_reason,
    isDeclined: row.declined,
  };
}
