// Changes what a merchant pays.
import { updateDepositFee } from '../../db/tables/apps.ts';
import type { Tx } from '../../db/postgres/tx.ts';
import { assertDepositFee } from './create-merchant.ts';

export interface MerchantChange {
  readonly merchantId: string;
  /** In parts per million. Deposits that become final from now on cost this; what is booked stays as it is. */
  readonly depositFeePpm: number;
}

/** Sets the fee on deposits. */
export async function changeMerchant(
  tx: Tx,
  { merchantId, depositFeePpm }: MerchantChange,
): Promise<{ outcome: 'changed' | 'merchant-unknown' }> {
  assertDepositFee(depositFeePpm);
  const found = await updateDepositFee(tx, merchantId, depositFeePpm);
  return { outcome: found ? 'changed' : 'merchant-unknown' };
}
