// Switches an app on or off.
import { updateEnabled } from '../store/apps.ts';
import type { Tx } from '../store/tx.ts';

/** An app that is off is refused with 10006 as if it did not exist; its open orders are still watched and told of. */
export async function setAppEnabled(
  tx: Tx,
  appId: string,
  enabled: boolean,
): Promise<{ outcome: 'set' | 'app-unknown' }> {
  return { outcome: (await updateEnabled(tx, appId, enabled)) ? 'set' : 'app-unknown' };
}
