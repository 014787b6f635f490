// Changes the fees of a merchant.
import { type MerchantFees, updateFees } from '../../db/tables/apps.ts';
import type { Tx } from '../../db/postgres/tx.ts';
import { assertFee } from './create-merchant.ts';

export interface MerchantChange extends MerchantFees {
  readonly merchantId: string;
}

/** Sets the fees on deposits and payouts. Entries that are booked stay as they are. */
export async function changeMerchant(
  tx: Tx,
  { merchantId, ...fees }: MerchantChange,
): Promise<{ outcome: 'changed' | 'merchant-unknown' }> {
  assertFee(fees.depositFeePpm ?? 0);
  assertFee(fees.payoutFeePpm ?? 0);
  const found = await updateFees(tx, merchantId, fees);
  return { outcome: found ? 'changed' : 'merchant-unknown' };
}
