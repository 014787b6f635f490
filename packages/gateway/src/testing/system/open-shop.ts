// Opens a merchant with one app straight through the flows, as the command line does, with the signer's part played here.
import { HDKey } from '@scure/bip32';
import { createAppKeys } from '../../app-keys.ts';
import { createApp } from '../../flows/create-app.ts';
import { createMerchant } from '../../flows/create-merchant.ts';
import { storeAccountKey } from '../../flows/store-account-key.ts';
import { ID_RANDOM_BYTES, newAppId, newMerchantId } from '../../ids.ts';
import type { Database } from '../../store/tx.ts';
import { realWorld } from '../../world.ts';
import { Shop, type ShopAccess } from './shop.ts';

export interface NewShop {
  /** In parts per million; 0.03 % unless said. */
  readonly depositFeePpm?: number;
  readonly tolerancePpm?: number;
}

export const masterSecret: Uint8Array = Buffer.from(
  '0123456789abcdeffedcba98765432100123456789abcdeffedcba9876543210',
  'hex',
);

// Not the seed of the dev chains' funded accounts: a fresh deposit address has to be empty.
const seed = HDKey.fromMasterSeed(Buffer.alloc(64, 9));

/** Adds merchant, app, AppKey and account key, and gives the shop that uses them. */
export async function openShop(
  { transact, reader }: Database,
  access: Pick<ShopAccess, 'receiver' | 'apiUrl'>,
  { depositFeePpm = 300, tolerancePpm = 0 }: NewShop = {},
): Promise<Shop> {
  const merchantId = newMerchantId(realWorld.random(ID_RANDOM_BYTES));
  const appId = newAppId(realWorld.random(ID_RANDOM_BYTES));
  const keys = createAppKeys({ masterSecret, reader, world: realWorld });
  const { appKey, sealedKey } = keys.create(appId);
  const createdAtMs = realWorld.nowMs();
  await transact((tx) => createMerchant(tx, { merchantId, name: 'Shop', depositFeePpm, createdAtMs }));
  await transact(async (tx) => {
    const callbackUrl = `${access.receiver.url}/${appId}`;
    const row = { appId, merchantId, name: 'Shop', kind: 'PAYMENT', callbackUrl, tolerancePpm } as const;
    const created = await createApp(tx, { ...row, sealedKey, createdAtMs });
    if (created.outcome !== 'created') throw new Error(created.outcome);
    const accountPublicKey = seed.derive(`m/44'/60'/${created.account}'`).publicExtendedKey;
    await storeAccountKey(tx, { appId, family: 'evm', accountPublicKey });
  });
  return new Shop({ appId, appKey, ...access });
}
