// All merchants of the gateway, newest first, in pages, with how many apps each has.
import type { MerchantLimits } from '@ducat/core/access/merchant-limits';
import type { Reader } from '../../../postgres/tx.ts';
import { LIMITS, limitsOf, type LimitsRow } from '../../../tables/merchant-limits.ts';

export interface MerchantListRow {
  readonly merchantId: string;
  readonly name: string;
  readonly depositFeePpm: number;
  readonly payoutFeePpm: number;
  readonly createdAtMs: number;
  /** Whether the owner signed up without an invitation. */
  readonly isFromSignUp: boolean;
  readonly isSuspended: boolean;
  readonly limits: MerchantLimits;
  readonly apps: number;
  /** Apps that are not switched off themselves. */
  readonly appsOn: number;
}

/** Merchants behind an id, which is ordered by time, or from the newest on with null. With `merchantId` only that one. */
export async function listMerchants(
  reader: Reader,
  page: { readonly behind: string | null; readonly merchantId?: string | undefined; readonly limit: number },
): Promise<readonly MerchantListRow[]> {
  const { behind, merchantId, limit } = page;
  const rows = await reader.read<Omit<MerchantListRow, 'limits'> & { readonly limits: LimitsRow }>(
    `SELECT m.merchant_id AS "merchantId", m.name, m.deposit_fee_ppm AS "depositFeePpm",
       m.payout_fee_ppm AS "payoutFeePpm", m.created_at_ms AS "createdAtMs",
       m.from_sign_up AS "isFromSignUp", m.suspended AS "isSuspended", ${LIMITS} AS limits, c.apps, c."appsOn"
     FROM (SELECT * FROM merchants WHERE ($1::text IS NULL OR merchant_id < $1) ${merchantId === undefined ? '' : 'AND merchant_id = $3'}
           ORDER BY merchant_id DESC LIMIT $2) AS m
       CROSS JOIN LATERAL (
         SELECT count(*)::integer AS apps, count(*) FILTER (WHERE enabled)::integer AS "appsOn"
         FROM apps a WHERE a.merchant_id = m.merchant_id) AS c
     ORDER BY m.merchant_id DESC`,
    [behind, limit, ...(merchantId === undefined ? [] : [merchantId])],
  );
  return rows.map((row) => ({ ...row, limits: limitsOf(row.limits) }));
}
