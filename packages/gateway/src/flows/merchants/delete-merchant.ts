// Deletes a merchant that somebody signed up as and that never took part: nothing of it is in the books.
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
 * Only while it is suspended, so that nobody makes an app in between. Orders, codes, payouts and money are those of an app, and an app
 * is never deleted: without one there was none of them.
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
