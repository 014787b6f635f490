// Changes how the payment pages of an app look, and who may frame them.
import { readSealedApp } from '../../db/tables/apps.ts';
import {
  type CheckoutPage,
  type PageChange,
  readCheckoutPage,
  writeCheckoutPage,
} from '../../db/tables/checkout-pages.ts';
import type { Tx } from '../../db/postgres/tx.ts';

/** Returns the page after the change; null where there is no such app. The caller has checked the values. */
export async function changePage(tx: Tx, appId: string, change: PageChange): Promise<CheckoutPage | null> {
  if ((await readSealedApp(tx, appId)) === null) return null;
  const before = await readCheckoutPage(tx, appId);
  const page = {
    accent: change.accent === undefined ? before.accent : change.accent,
    contact: change.contact === undefined ? before.contact : change.contact,
    frameOrigins: change.frameOrigins ?? before.frameOrigins,
    logo: change.logo === undefined ? before.logo : change.logo,
    isTest: change.isTest ?? before.isTest,
  };
  await writeCheckoutPage(tx, appId, page);
  return page;
}
