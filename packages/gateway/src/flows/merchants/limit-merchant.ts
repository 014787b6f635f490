// An operator sets the limits of a merchant, for payouts and orders made from now on.
import type { MerchantLimits } from '@ducat/core/access/merchant-limits';
import { assert } from '@ducat/core/assert';
import { lockMerchant } from '../../db/tables/apps.ts';
import { readMerchantLimits, updateMerchantLimits } from '../../db/tables/merchant-limits.ts';
import type { Tx } from '../../db/postgres/tx.ts';

/** A limit that is left out stays. Returns the limits after the change; null where there is no such merchant. */
export async function limitMerchant(
  tx: Tx,
  merchantId: string,
  change: Partial<MerchantLimits>,
): Promise<MerchantLimits | null> {
  await lockMerchant(tx, merchantId);
  const before = await readMerchantLimits(tx, merchantId);
  if (before === null) return null;
  const after = { ...before, ...change };
  assert(
    Object.values(after).every((limit: bigint | number | null) => limit === null || limit >= 0),
    'limits are not negative',
  );
  await updateMerchantLimits(tx, merchantId, after);
  return after;
}
