// Opens a merchant account.
import { assert } from '@ducat/core/assert';
import { MAX_DEPOSIT_FEE_PPM } from '@ducat/core/ledger/recipes';
import { insertMerchant, type NewMerchant } from '../../db/tables/apps.ts';
import type { Tx } from '../../db/postgres/tx.ts';

/** Adds the merchant. The caller makes the id, so that a retry of this flow changes nothing more. */
export async function createMerchant(tx: Tx, merchant: NewMerchant): Promise<void> {
  assert(
    merchant.name.length > 0 && merchant.name.length <= 128,
    'a merchant has a name of 1 to 128 characters',
  );
  assertFee(merchant.depositFeePpm);
  await insertMerchant(tx, merchant);
}

/** Checks the bound of a fee. The database schema enforces the same bound. */
export function assertFee(feePpm: number): void {
  assert(
    Number.isInteger(feePpm) && feePpm >= 0 && feePpm <= Number(MAX_DEPOSIT_FEE_PPM),
    'a fee lies between 0 and 999,999 parts per million',
  );
}
