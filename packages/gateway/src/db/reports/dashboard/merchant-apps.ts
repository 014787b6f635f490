// The apps of a merchant, by which all other data of a merchant is found.
import type { Reader } from '../../postgres/tx.ts';
import type { AppKind } from '../../tables/apps.ts';

export interface MerchantApp {
  readonly appId: string;
  readonly name: string;
  readonly kind: AppKind;
  readonly enabled: boolean;
  readonly isSuspended: boolean;
  readonly createdAtMs: number;
  /** Whether the merchant says that no real money is meant. */
  readonly isTest: boolean;
}

/** A merchant with more apps sees the oldest ones. */
const MAX_APPS = 200;

/** The oldest first. */
export function readMerchantApps(reader: Reader, merchantId: string): Promise<readonly MerchantApp[]> {
  return reader.read<MerchantApp>(
    `SELECT app_id AS "appId", a.name, kind, a.enabled, m.suspended AS "isSuspended",
       a.created_at_ms AS "createdAtMs", coalesce(p.is_test, false) AS "isTest"
     FROM apps a JOIN merchants m USING (merchant_id) LEFT JOIN checkout_pages p USING (app_id)
     WHERE merchant_id = $1 ORDER BY a.created_at_ms, app_id LIMIT ${MAX_APPS}`,
    [merchantId],
  );
}
