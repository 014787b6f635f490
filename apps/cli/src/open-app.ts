// Opens an app with its AppKey, account keys and wallets, and completes one that an earlier call left unfinished.
import { addressSchemes } from '@ducat/gateway/chains/address-schemes';
import { createApp } from '@ducat/gateway/flows/merchants/create-app';
import { openAppAccount } from '@ducat/gateway/flows/addresses/open-app-account';
import { newAppId } from '@ducat/gateway/runtime/ids';
import type { App, AppKind } from '@ducat/gateway/db/tables/apps';
import type { ChainFamily } from '@ducat/core/chain/chain';
import { CommandError } from './command-error.ts';
import type { Setup } from './setup.ts';

export interface AppToOpen {
  readonly merchantId: string;
  readonly name: string;
  readonly kind: AppKind;
  readonly callbackUrl: string | null;
}

/** Makes the app and returns its id and its AppKey, which is shown once. */
export async function openApp(
  setup: Setup,
  wanted: AppToOpen,
): Promise<{ readonly appId: string; readonly appKey: string }> {
  const { world, appKeys, database } = setup;
  // Asks the signer first: where it does not answer, no app must be made that would lack its addresses.
  for (const family of families) await setup.signer().accountPublicKey(family, 0);
  await setup.checkMasterSecret();
  const appId = newAppId(world);
  const { appKey, sealedKey } = appKeys.create(appId);
  const created = await database.transact((tx) =>
    createApp(tx, { ...wanted, appId, tolerancePpm: 0, sealedKey, createdAtMs: world.nowMs() }),
  );
  if (created.outcome === 'merchant-unknown')
    throw new CommandError(`there is no merchant ${wanted.merchantId}`);
  await fetchAccountKey(setup, { appId, account: created.account });
  return { appId, appKey };
}

/**
 * All families, also those whose chains are not on yet, so that switching one on does not need the signer. The keys of
 * the record are the families, a type that Object.keys loses.
 */
const families = Object.keys(addressSchemes) as ChainFamily[];

/** Asks the signer for the app's account key in each family, and opens the accounts. Safe to repeat. */
export async function fetchAccountKey(setup: Setup, app: Pick<App, 'appId' | 'account'>): Promise<void> {
  const { appId } = app;
  for (const family of families) {
    const accountPublicKey = await setup.signer().accountPublicKey(family, app.account);
    const addresses = addressSchemes[family];
    await setup.database.transact((tx) => openAppAccount(tx, { appId, family, accountPublicKey, addresses }));
  }
}
