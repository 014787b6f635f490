// Changes an app only at the version that the person saw: it is compared under the app's lock, in the change's transaction.
import type { Tx } from '../../../db/postgres/tx.ts';
import { lockApp } from '../../../db/tables/apps.ts';
import { type Answer, refusal, unknown } from '../call.ts';
import type { MerchantCall } from '../merchant-scope.ts';
import { presentApp, type PresentedApp } from './own-app.ts';

interface Named {
  readonly app_id: string;
  readonly version: string;
}

/** `change` receives the app as it was before, and its answer is the answer of the operation. */
export async function atVersion<Answered extends object>(
  { deps, merchantId, nowMs }: MerchantCall,
  { app_id: appId, version }: Named,
  change: (tx: Tx, before: PresentedApp) => Promise<Answer<Answered>>,
): Promise<Answer<Answered>> {
  return deps.transact(async (tx) => {
    await lockApp(tx, appId);
    const before = await presentApp(tx, { merchantId, appId, nowMs });
    if (before === null) return unknown('app');
    if (before.version !== version)
      return refusal('changed', 'these settings were changed meanwhile: look at them again');
    return change(tx, before);
  });
}
