// The limits that operators set for merchants, and what counts towards them.
import type { MerchantLimits, OpenOrders } from '@ducat/core/access/merchant-limits';
import type { Reader, Tx } from '../postgres/tx.ts';

/** The limits as JSON, with values as text. */
export interface LimitsRow {
  readonly value: string | null;
  readonly day: string | null;
  readonly orders: number | null;
}

/** SQL of a `LimitsRow`, for a row of merchants called m. */
export const LIMITS = `json_build_object('value', m.payout_max_value::text, 'day', m.payout_max_day_value::text,
  'orders', m.max_open_orders)`;

export function limitsOf({ value, day, orders }: LimitsRow): MerchantLimits {
  return { payoutMaxValue: valueOf(value), payoutMaxDayValue: valueOf(day), maxOpenOrders: orders };
}

/** Null where there is no such merchant. */
export async function readMerchantLimits(reader: Reader, merchantId: string): Promise<MerchantLimits | null> {
  const [row] = await reader.read<{ limits: LimitsRow }>(
    `SELECT ${LIMITS} AS limits FROM merchants m WHERE merchant_id = $1`,
    [merchantId],
  );
  return row === undefined ? null : limitsOf(row.limits);
}

export async function updateMerchantLimits(
  tx: Tx,
  merchantId: string,
  { payoutMaxValue, payoutMaxDayValue, maxOpenOrders }: MerchantLimits,
): Promise<void> {
  await tx.write(
    'UPDATE merchants SET payout_max_value = $2, payout_max_day_value = $3, max_open_orders = $4 WHERE merchant_id = $1',
    [merchantId, payoutMaxValue?.toString() ?? null, payoutMaxDayValue?.toString() ?? null, maxOpenOrders],
  );
}

/** Makes what counts towards limits of these merchants wait for this transaction. A new app does not wait. */
export async function lockCounting(tx: Tx, merchantIds: readonly string[]): Promise<void> {
  await tx.read('SELECT FROM merchants WHERE merchant_id = ANY ($1) ORDER BY merchant_id FOR NO KEY UPDATE', [
    merchantIds,
  ]);
}

/**
 * Value of the payouts of all apps of a merchant since a time (Unix seconds), without cancelled and failed ones, in
 * 10^-6 USD.
 */
export async function readMerchantValueSince(
  reader: Reader,
  merchantId: string,
  since: number,
): Promise<bigint> {
  const [row] = await reader.read<{ value: string }>(MERCHANT_VALUE, [merchantId, since]);
  return BigInt(row?.value ?? '0');
}

const MERCHANT_VALUE = `
  SELECT coalesce(sum(p.value), 0)::text AS value FROM apps a CROSS JOIN LATERAL (
    SELECT value FROM payouts WHERE app_id = a.app_id AND create_time > $2 AND status NOT IN ('FAIL', 'CANCEL')
  ) AS p WHERE a.merchant_id = $1`;

/** Open orders of the merchants that have a limit, counted no further than the limit. */
export function countOpenOrders(
  reader: Reader,
  merchantIds: readonly string[],
): Promise<readonly OpenOrders[]> {
  return reader.read<OpenOrders>(
    `SELECT m.merchant_id AS "merchantId", m.max_open_orders AS most, (
       SELECT count(*)::integer FROM (
         SELECT FROM apps a CROSS JOIN LATERAL (
           SELECT FROM orders o WHERE o.app_id = a.app_id AND o.status = 'TO-BE-PAID' LIMIT m.max_open_orders
         ) AS waiting WHERE a.merchant_id = m.merchant_id LIMIT m.max_open_orders) AS counted) AS open
     FROM merchants m WHERE m.merchant_id = ANY ($1) AND m.max_open_orders IS NOT NULL`,
    [merchantIds],
  );
}

function valueOf(text: string | null): bigint | null {
  return text === null ? null : BigInt(text);
}
