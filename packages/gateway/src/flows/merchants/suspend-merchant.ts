// Suspends a merchant or ends the suspension. Its apps get no new orders, QR codes or payouts; open ones go on.
import type { Tx } from '../../db/postgres/tx.ts';
import { updateSuspension } from '../../db/tables/apps.ts';

export async function suspendMerchant(tx: Tx, merchantId: string, isSuspended: boolean): Promise<void> {
  await updateSuspension(tx, merchantId, isSuspended);
}
