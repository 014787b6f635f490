// Adds an address to the list of an app, or takes it off.
import type { Tx } from '../../db/postgres/tx.ts';
import {
  deleteListedAddress,
  insertListedAddress,
  type ListedAddress,
} from '../../db/tables/payouts/payout-addresses.ts';
import { lockSettings } from '../../db/tables/payouts/payout-settings.ts';

/** An address that is removed and added again starts a new cooling time. */
export type AddressChange =
  | { readonly add: ListedAddress }
  | { readonly remove: Pick<ListedAddress, 'family' | 'address'> };

export async function changeAddressList(
  tx: Tx,
  appId: string,
  change: AddressChange,
): Promise<{ readonly outcome: 'changed' | 'unchanged' | 'app-unknown' }> {
  if ((await lockSettings(tx, appId)) === null) return { outcome: 'app-unknown' };
  const isChanged =
    'add' in change
      ? await insertListedAddress(tx, appId, change.add)
      : await deleteListedAddress(tx, appId, change.remove);
  return { outcome: isChanged ? 'changed' : 'unchanged' };
}
