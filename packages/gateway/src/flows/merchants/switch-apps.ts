// Switches all apps of a merchant off, or on again: no new orders, codes and payouts, while what is open goes on.
import type { Tx } from '../../db/postgres/tx.ts';
import { updateAppsOfMerchant } from '../../db/tables/apps.ts';

export async function switchApps(tx: Tx, merchantId: string, enabled: boolean): Promise<void> {
  await updateAppsOfMerchant(tx, merchantId, enabled);
}
