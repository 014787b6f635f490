// An operator changes the rules for the payouts of an app: who bears the costs, and the limits.
import { assert } from '@ducat/core/assert';
import type { PayoutRules } from '@ducat/core/payout/open-payout';
import type { Tx } from '../../db/postgres/tx.ts';
import { lockSettings, type PayoutSettings, updateRules } from '../../db/tables/payouts/payout-settings.ts';

/** A rule that is left out stays. Fee and ceiling are the merchant's, see `change-merchant.ts` and `limit-merchant.ts`. */
export type RulesChange = Partial<Omit<PayoutRules, 'feePpm' | 'ceiling'>>;

/** Returns the settings after the change, which apply to payouts made from now on; null where there is no such app. */
export async function changeRules(
  tx: Tx,
  appId: string,
  change: RulesChange,
): Promise<PayoutSettings | null> {
  const before = await lockSettings(tx, appId);
  if (before === null) return null;
  const after = { ...before, ...change };
  const values = [after.maxValue, after.maxDayValue, after.approvalAbove];
  assert(
    values.every((value) => value === null || value >= 0n) && after.coolingS >= 0,
    'limits and times are not negative',
  );
  await updateRules(tx, appId, after);
  return after;
}
