// Sets the networks from which an app may call the API, and the least value of a holding that is collected.
import { type AppNetwork, updateNetwork } from '../../db/tables/apps.ts';
import type { Tx } from '../../db/postgres/tx.ts';

/**
 * Returns whether the app exists. The networks apply to requests within five seconds, the least value when a holding is
 * checked next.
 */
export function changeNetwork(tx: Tx, appId: string, network: AppNetwork): Promise<boolean> {
  return updateNetwork(tx, appId, network);
}
