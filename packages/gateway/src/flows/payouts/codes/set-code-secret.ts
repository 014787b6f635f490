// Switches one-time codes of an app on, with a new secret, or off.
import type { Tx } from '../../../db/postgres/tx.ts';
import { lockSettings, replaceCodeSecret } from '../../../db/tables/payouts/payout-settings.ts';

/** `sealed` is null to switch one-time codes off. */
export async function setCodeSecret(
  tx: Tx,
  appId: string,
  sealed: Buffer | null,
): Promise<{ readonly outcome: 'changed' | 'app-unknown' }> {
  if ((await lockSettings(tx, appId)) === null) return { outcome: 'app-unknown' };
  await replaceCodeSecret(tx, appId, sealed);
  return { outcome: 'changed' };
}
