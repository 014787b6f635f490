// The merchant and the apps of the demo: made once, and found again at every later start.
import { DEFAULT_DEPOSIT_FEE_PPM } from '@ducat/core/ledger/recipes';
import { createMerchant } from '@ducat/gateway/flows/merchants/create-merchant';
import { newMerchantId } from '@ducat/gateway/runtime/ids';
import { type App, type AppKind, listApps } from '@ducat/gateway/db/tables/apps';
import { CommandError } from '../command-error.ts';
import { type AppToOpen, fetchAccountKey, openApp } from '../open-app.ts';
import type { Setup } from '../setup.ts';

export interface DemoApp {
  readonly appId: string;
  readonly appKey: string;
  /** The address of the app's webhooks, as the database has it. */
  readonly callbackUrl: string;
}

export interface DemoShop extends DemoApp {
  readonly merchantId: string;
  /** The app for static QR codes, which need an app of their own kind. */
  readonly qr: DemoApp;
}

const APP_NAMES = { PAYMENT: 'Demo shop (local)', QR_CODE: 'Demo counter (local)' } as const;
const MERCHANT_NAME = 'Demo merchant (local)';
const DEPOSIT_FEE_PPM = Number(DEFAULT_DEPOSIT_FEE_PPM);
/** How many apps are searched. The demo apps are among the oldest in their database. */
const MAX_LOOKED_AT = 1_000;

/** Whether both apps of the demo shop are there. */
export async function hasDemoShop({ database }: Setup): Promise<boolean> {
  const apps = await listApps(database.reader, MAX_LOOKED_AT);
  return Object.values(APP_NAMES).every((name) => apps.some((app) => app.name === name));
}

/** Finds the demo shop by the names of its apps. Opens missing apps with `callbackUrl` for their webhooks. */
export async function ensureDemoShop(setup: Setup, callbackUrl: string): Promise<DemoShop> {
  const { database, world } = setup;
  const apps = await listApps(database.reader, MAX_LOOKED_AT);
  const find = (kind: AppKind) => apps.find((app) => app.name === APP_NAMES[kind] && app.kind === kind);
  const merchantId = find('PAYMENT')?.merchantId ?? newMerchantId(world);
  if (find('PAYMENT') === undefined) {
    const merchant = { merchantId, name: MERCHANT_NAME, depositFeePpm: DEPOSIT_FEE_PPM };
    await database.transact((tx) => createMerchant(tx, { ...merchant, createdAtMs: world.nowMs() }));
  }
  const ensure = (kind: AppKind) => {
    const wanted = { merchantId, name: APP_NAMES[kind], kind, callbackUrl };
    return ensureApp(setup, wanted, find(kind));
  };
  return { ...(await ensure('PAYMENT')), merchantId, qr: await ensure('QR_CODE') };
}

async function ensureApp(
  setup: Setup,
  wanted: AppToOpen & { readonly callbackUrl: string },
  found: App | undefined,
): Promise<DemoApp> {
  if (found === undefined) return { ...(await openApp(setup, wanted)), callbackUrl: wanted.callbackUrl };
  // An earlier start may have been killed before it stored the account key.
  await fetchAccountKey(setup, found);
  const access = await setup.appKeys.keysFor(found.appId);
  if (access === null) throw new CommandError(`the demo app ${found.appId} has no AppKey`);
  return {
    appId: found.appId,
    appKey: access.keys[0],
    callbackUrl: found.callbackUrl ?? wanted.callbackUrl,
  };
}
