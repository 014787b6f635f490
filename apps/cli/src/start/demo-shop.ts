// The merchant and the app of the demo: made once, found again at every later start.
import { DEFAULT_DEPOSIT_FEE_PPM } from '@ducat/core/ledger/recipes';
import { createMerchant } from '@ducat/gateway/flows/merchants/create-merchant';
import { newMerchantId } from '@ducat/gateway/runtime/ids';
import { listApps } from '@ducat/gateway/db/tables/apps';
import { CommandError } from '../command-error.ts';
import { fetchAccountKey, openApp } from '../open-app.ts';
import type { Setup } from '../setup.ts';

export interface DemoShop {
  readonly merchantId: string;
  readonly appId: string;
  readonly appKey: string;
  /** Where the app's webhooks go, as the database knows it. */
  readonly callbackUrl: string;
}

const APP_NAME = 'Demo shop (local)';
const MERCHANT_NAME = 'Demo merchant (local)';
const DEPOSIT_FEE_PPM = Number(DEFAULT_DEPOSIT_FEE_PPM);
/** The demo app is among the oldest of its database. */
const MAX_LOOKED_AT = 1_000;

/** Finds the demo shop by its name, or opens it with this address for webhooks. */
export async function ensureDemoShop(setup: Setup, callbackUrl: string): Promise<DemoShop> {
  const { database, appKeys, world } = setup;
  const apps = await listApps(database.reader, MAX_LOOKED_AT);
  const found = apps.find((app) => app.name === APP_NAME);
  if (found !== undefined) {
    // An earlier start may have been killed before the key was there.
    await fetchAccountKey(setup, found);
    const access = await appKeys.keysFor(found.appId);
    if (access === null) throw new CommandError(`the demo app ${found.appId} has no AppKey`);
    const { appId, merchantId } = found;
    return { appId, merchantId, appKey: access.keys[0], callbackUrl: found.callbackUrl ?? callbackUrl };
  }
  const merchantId = newMerchantId(world);
  const createdAtMs = world.nowMs();
  await database.transact((tx) =>
    createMerchant(tx, { merchantId, name: MERCHANT_NAME, depositFeePpm: DEPOSIT_FEE_PPM, createdAtMs }),
  );
  const { appId, appKey } = await openApp(setup, {
    merchantId,
    name: APP_NAME,
    kind: 'PAYMENT',
    callbackUrl,
  });
  return { merchantId, appId, appKey, callbackUrl };
}
