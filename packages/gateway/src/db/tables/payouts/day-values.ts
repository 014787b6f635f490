// The value of payouts in 24 hours, as limits count it: of one app, and of all apps of its merchant.
import type { PayoutLedger } from '@ducat/core/payout/open-payout';
import type { Reader, Tx } from '../../postgres/tx.ts';
import { lockCounting, readMerchantValueSince } from '../merchant-limits.ts';
import type { PayoutSettings } from './payout-settings.ts';

type DayValues = Pick<PayoutLedger, 'dayValue' | 'merchantDayValue'>;
type Ceiling = Pick<PayoutSettings, 'merchantId' | 'ceiling'>;

/** Value of an app's payouts since a time (Unix seconds), without failed and cancelled ones. */
export async function readValueSince(reader: Reader, appId: string, since: number): Promise<bigint> {
  const [row] = await reader.read<{ value: string }>(
    `SELECT coalesce(sum(value), 0)::text AS value FROM payouts
     WHERE app_id = $1 AND create_time > $2 AND status NOT IN ('FAIL', 'CANCEL')`,
    [appId, since],
  );
  return BigInt(row?.value ?? '0');
}

/** Both values since a time (Unix seconds). The merchant's is 0 if the merchant has no limit. */
export async function readDayValues(
  reader: Reader,
  appId: string,
  { merchantId, ceiling }: Ceiling,
  since: number,
): Promise<DayValues> {
  return {
    dayValue: await readValueSince(reader, appId, since),
    merchantDayValue:
      ceiling.maxDayValue === null ? 0n : await readMerchantValueSince(reader, merchantId, since),
  };
}

/** The same, locked: other apps of a merchant with a limit make no payout until the transaction ends. */
export async function lockDayValues(
  tx: Tx,
  appId: string,
  settings: Ceiling,
  since: number,
): Promise<DayValues> {
  if (settings.ceiling.maxDayValue !== null) await lockCounting(tx, [settings.merchantId]);
  return readDayValues(tx, appId, settings, since);
}
