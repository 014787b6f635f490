// Opens a merchant with one app through the flows, with keys of a fixed seed instead of a signer's.
import { createHash } from 'node:crypto';
import { HDKey } from '@scure/bip32';
import { DEFAULT_DEPOSIT_FEE_PPM } from '@ducat/core/ledger/recipes';
import { createAppKeys } from '@ducat/gateway/keys/app-keys';
import { addressSchemes } from '@ducat/gateway/chains/address-schemes';
import { createApp } from '@ducat/gateway/flows/merchants/create-app';
import { createMerchant } from '@ducat/gateway/flows/merchants/create-merchant';
import { fillAddressPool } from '@ducat/gateway/flows/addresses/fill-address-pool';
import { storeAccountKey } from '@ducat/gateway/flows/addresses/store-account-key';
import { newMerchantId } from '@ducat/gateway/runtime/ids';
import type { Database } from '@ducat/gateway/db/postgres/tx';
import { realWorld } from '@ducat/gateway/runtime/world';

export interface OpenedApp {
  readonly appId: string;
  readonly appKey: string;
}

/** The master secret of all gateways of a bench. */
export const masterSecret: Uint8Array = createHash('sha256').update('bench').digest();

const seed = HDKey.fromMasterSeed(Buffer.alloc(64, 7));

export async function openApp(
  { transact, reader }: Pick<Database, 'transact' | 'reader'>,
  appId: string,
  callbackUrl: string,
): Promise<OpenedApp> {
  const keys = createAppKeys({ masterSecret, reader, world: realWorld });
  const { appKey, sealedKey } = keys.create(appId);
  const merchantId = newMerchantId(realWorld);
  const createdAtMs = realWorld.nowMs();
  const depositFeePpm = Number(DEFAULT_DEPOSIT_FEE_PPM);
  await transact((tx) => createMerchant(tx, { merchantId, name: 'Bench', depositFeePpm, createdAtMs }));
  const account = await transact(async (tx) => {
    const row = { appId, merchantId, name: 'Bench', kind: 'PAYMENT', tolerancePpm: 0 } as const;
    const created = await createApp(tx, { ...row, callbackUrl, sealedKey, createdAtMs });
    if (created.outcome !== 'created') throw new Error(created.outcome);
    return created.account;
  });
  const accountPublicKey = seed.derive(`m/44'/60'/${account}'`).publicExtendedKey;
  await transact((tx) => storeAccountKey(tx, { appId, family: 'evm', accountPublicKey }));
  return { appId, appKey };
}

/** Fills the pool of addresses as maintenance does, before a bench takes addresses from it. */
export async function fillPool(
  { transact }: Pick<Database, 'transact'>,
  appId: string,
  target: number,
): Promise<void> {
  const derive = (key: string, index: number) => addressSchemes.evm.derive(key, index);
  for (;;) {
    const added = await transact((tx) => fillAddressPool(tx, { appId, family: 'evm', derive, target }));
    if (added === 0) return;
  }
}
