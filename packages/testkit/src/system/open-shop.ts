// Opens a merchant with one app directly through the flows, as the command line does. Account keys are made here.
import { HDKey } from '@scure/bip32';
import { DEFAULT_DEPOSIT_FEE_PPM } from '@ducat/core/ledger/recipes';
import { createAppKeys } from '@ducat/gateway/keys/app-keys';
import { createApp } from '@ducat/gateway/flows/merchants/create-app';
import { createMerchant } from '@ducat/gateway/flows/merchants/create-merchant';
import { storeAccountKey } from '@ducat/gateway/flows/addresses/store-account-key';
import { newAppId, newMerchantId } from '@ducat/gateway/runtime/ids';
import type { AppKind } from '@ducat/gateway/db/tables/apps';
import type { Database } from '@ducat/gateway/db/postgres/tx';
import { realWorld } from '@ducat/gateway/runtime/world';
import { Shop, type ShopAccess } from './shop.ts';

export interface NewShop {
  /** In parts per million; the default unless said. */
  readonly depositFeePpm?: number;
  readonly tolerancePpm?: number;
  /** A payment app unless said. */
  readonly kind?: AppKind;
  /** Left out, it is the receiver's path of this app. */
  readonly callbackUrl?: string;
}

export const masterSecret: Uint8Array = Buffer.from(
  '0123456789abcdeffedcba98765432100123456789abcdeffedcba9876543210',
  'hex',
);

const coinTypes = [
  ['evm', 60],
  ['tron', 195],
] as const;

// Not the seed of the dev chains' funded accounts: a fresh deposit address has to be empty.
const seed = HDKey.fromMasterSeed(Buffer.alloc(64, 9));

/** Adds merchant, app, AppKey and account key, and gives the shop that uses them. */
export async function openShop(
  { transact, reader }: Database,
  access: Pick<ShopAccess, 'receiver' | 'apiUrl'>,
  {
    depositFeePpm = Number(DEFAULT_DEPOSIT_FEE_PPM),
    tolerancePpm = 0,
    kind = 'PAYMENT',
    callbackUrl,
  }: NewShop = {},
): Promise<Shop> {
  const merchantId = newMerchantId(realWorld);
  const appId = newAppId(realWorld);
  const keys = createAppKeys({ masterSecret, reader, world: realWorld });
  const { appKey, sealedKey } = keys.create(appId);
  const createdAtMs = realWorld.nowMs();
  await transact((tx) => createMerchant(tx, { merchantId, name: 'Shop', depositFeePpm, createdAtMs }));
  await transact(async (tx) => {
    const row = { appId, merchantId, name: 'Shop', kind, tolerancePpm };
    const url = callbackUrl ?? `${access.receiver.url}/${appId}`;
    const created = await createApp(tx, { ...row, callbackUrl: url, sealedKey, createdAtMs });
    if (created.outcome !== 'created') throw new Error(created.outcome);
    for (const [family, coinType] of coinTypes) {
      const accountPublicKey = seed.derive(`m/44'/${coinType}'/${created.account}'`).publicExtendedKey;
      await storeAccountKey(tx, { appId, family, accountPublicKey });
    }
  });
  return new Shop({ appId, appKey, ...access });
}
