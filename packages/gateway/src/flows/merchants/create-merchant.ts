// Opens a merchant account.
import { assert } from '@ducat/core/assert';
import { MAX_DEPOSIT_FEE_PPM } from '@ducat/core/ledger/recipes';
import { insertMerchant, type NewMerchant } from '../../db/tables/apps.ts';
import type { Tx } from '../../db/postgres/tx.ts';

/** Adds the merchant. The id is made by the caller, so running the flow again by itself changes nothing more. */
export async function createMerchant(tx: Tx, merchant: NewMerchant): Promise<void> {
  assert(
    merchant.name.length > 0 && merchant.name.length <= 128,
    'a merchant has a name of 1 to 128 characters',
  );
  assertFee(merchant.depositFeePpm);
  await insertMerchant(tx, merchant);
}

/** The one bound of a fee, which the schema holds as well. */
export function assertFee(feePpm: number): void {
  assert(
    Number.isInteger(feePpm) && feePpm >= 0 && feePpm <= Number(MAX_DEPOSIT_FEE_PPM),
    'a fee lies between 0 and 999,999 parts per million',
  );
}
