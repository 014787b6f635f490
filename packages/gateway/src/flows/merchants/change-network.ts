// Sets from where an app's requests may come, and from which value on what lies at one of its addresses is moved.
import { type AppNetwork, updateNetwork } from '../../db/tables/apps.ts';
import type { Tx } from '../../db/postgres/tx.ts';

/** Whether the app was there. Requests count by it within five seconds, what lies there at its next look. */
export function changeNetwork(tx: Tx, appId: string, network: AppNetwork): Promise<boolean> {
  return updateNetwork(tx, appId, network);
}
