// Opens the merchants of a run through the flows, as the command line does, but with keys of a fixed seed, not of a signer.
import { HDKey } from 'viem/accounts';
import { createAppKeys } from '@ducat/gateway/keys/app-keys';
import { createApp } from '@ducat/gateway/flows/merchants/create-app';
import { createMerchant } from '@ducat/gateway/flows/merchants/create-merchant';
import { storeAccountKey } from '@ducat/gateway/flows/addresses/store-account-key';
import { newAppId, newMerchantId } from '@ducat/gateway/runtime/ids';
import { migrate } from '@ducat/gateway/db/postgres/migrations/migrate';
import { openDatabase } from '@ducat/gateway/db/postgres/tx';
import { realWorld } from '@ducat/gateway/runtime/world';

/** What each deposit costs, in parts per million. */
export const FEE_PPM = 300;

/** Another seed than that of the payers, because deposit addresses have to be empty at first. */
const seed = HDKey.fromMasterSeed(Buffer.alloc(64, 7));

/** Coin types by SLIP-44. */
const keyPaths = [
  { family: 'evm', coinType: 60 },
  { family: 'tron', coinType: 195 },
] as const;

export interface App {
  readonly appId: string;
  readonly appKey: string;
}

/** Opens one app for each webhook address. */
export async function openApps(
  url: string,
  masterSecret: Uint8Array,
  callbackUrls: readonly string[],
): Promise<readonly App[]> {
  const database = openDatabase(url, 2);
  const { transact, reader } = database;
  try {
    const createdAtMs = realWorld.nowMs();
    await migrate(database, createdAtMs);
    const keys = createAppKeys({ masterSecret, reader, world: realWorld });
    const apps: App[] = [];
    for (const callbackUrl of callbackUrls) {
      const merchantId = newMerchantId(realWorld);
      const appId = newAppId(realWorld);
      const { appKey, sealedKey } = keys.create(appId);
      await transact((tx) =>
        createMerchant(tx, { merchantId, name: 'Shop', depositFeePpm: FEE_PPM, createdAtMs }),
      );
      const row = { appId, merchantId, name: 'Shop', kind: 'PAYMENT', tolerancePpm: 0, callbackUrl } as const;
      await transact(async (tx) => {
        const created = await createApp(tx, { ...row, sealedKey, createdAtMs });
        if (created.outcome !== 'created') throw new Error(created.outcome);
        for (const { family, coinType } of keyPaths) {
          const path = `m/44'/${coinType}'/${created.account}'`;
          const accountPublicKey = seed.derive(path).publicExtendedKey;
          await storeAccountKey(tx, { appId, family, accountPublicKey });
        }
      });
      apps.push({ appId, appKey });
    }
    return apps;
  } finally {
    await database.close();
  }
}
