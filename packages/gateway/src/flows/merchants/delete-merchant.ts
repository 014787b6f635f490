// Deletes a merchant from a sign-up that never had an app. The books hold nothing of such a merchant.
import type { Tx } from '../../db/postgres/tx.ts';
import {
  deleteMerchantRows,
  hasApps,
  isSuspendedSignUp,
  lockMerchant,
  readMerchantName,
} from '../../db/tables/apps.ts';

export type DeletedMerchant =
  | { readonly outcome: 'deleted'; readonly name: string }
  | { readonly outcome: 'unknown' | 'admitted' | 'has-apps' };

/**
 * The merchant has to be suspended, so that no app is made in between. Orders, QR codes, payouts and money all belong to an
 * app, and an app is never deleted. So a merchant without an app never had any of them.
 */
export async function deleteMerchant(tx: Tx, merchantId: string): Promise<DeletedMerchant> {
  await lockMerchant(tx, merchantId);
  const name = await readMerchantName(tx, merchantId);
  if (name === null) return { outcome: 'unknown' };
  // mark: only-an-empty-sign-up-is-deleted
  if (!(await isSuspendedSignUp(tx, merchantId))) return { outcome: 'admitted' };
  if (await hasApps(tx, merchantId)) return { outcome: 'has-apps' };
  await deleteMerchantRows(tx, merchantId);
  return { outcome: 'deleted', name };
}
