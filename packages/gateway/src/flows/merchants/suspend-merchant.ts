// Suspends a merchant, or ends that: no new orders, codes and payouts for any app of it, while what is open goes on.
import type { Tx } from '../../db/postgres/tx.ts';
import { updateSuspension } from '../../db/tables/apps.ts';

export async function suspendMerchant(tx: Tx, merchantId: string, isSuspended: boolean): Promise<void> {
  await updateSuspension(tx, merchantId, isSuspended);
}
