// Whether the signer gives out public keys, which it does once it has a seed.
import { Outage } from '../../../runtime/outage.ts';
import type { DashboardDeps } from '../port.ts';

/** Asks the signer as the creation of an app does. The log says why there is no answer. */
export async function areKeysReady(deps: DashboardDeps): Promise<boolean> {
  try {
    await deps.accountPublicKey('evm', 0);
    return true;
  } catch (error) {
    if (!(error instanceof Outage)) throw error;
    deps.logger.warn({ error }, 'the signer gives out no keys');
    return false;
  }
}
