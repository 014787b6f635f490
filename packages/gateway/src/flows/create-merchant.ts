// Opens a merchant account.
import { assert } from '@ducat/core/assert';
import { insertMerchant, type NewMerchant } from '../store/apps.ts';
import type { Tx } from '../store/tx.ts';

/** Adds the merchant. The id is made by the caller, so running the flow again by itself changes nothing more. */
export async function createMerchant(tx: Tx, merchant: NewMerchant): Promise<void> {
  assert(
    merchant.name.length > 0 && merchant.name.length <= 128,
    'a merchant has a name of 1 to 128 characters',
  );
  assert(
    Number.isInteger(merchant.depositFeePpm) &&
      merchant.depositFeePpm >= 0 &&
      merchant.depositFeePpm <= 1_000_000,
    'a deposit fee lies between 0 and 1,000,000 parts per million',
  );
  await insertMerchant(tx, merchant);
}
