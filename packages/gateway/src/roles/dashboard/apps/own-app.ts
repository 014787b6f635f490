// An app of the asking merchant, with its settings and their version.
import { isAppOn } from '@ducat/core/access/app-state';
import { createHash } from 'node:crypto';
import type { ResponseOf } from '@ducat/contract/dashboard/registry';
import type { Reader } from '../../../db/postgres/tx.ts';
import { type App, readCurrenciesOff, readSealedApp, type SealedApp } from '../../../db/tables/apps.ts';
import { readCheckoutPage } from '../../../db/tables/checkout-pages.ts';
import { readMerchantLimits } from '../../../db/tables/merchant-limits.ts';
import { readSealedCodeSecret, readSettings } from '../../../db/tables/payouts/payout-settings.ts';
import { versionOf } from '../version.ts';
import type { MerchantCall } from '../merchant-scope.ts';
import { limitTexts, seconds, usdText } from '../texts.ts';

/** Why nothing is made for an app that an operator or its merchant has switched off, or whose merchant is suspended. */
export const SWITCHED_OFF = 'this app is switched off';

/** Null for an unknown app and for another merchant's app alike. */
export async function findOwnApp(
  call: Pick<MerchantCall, 'reader' | 'merchantId'>,
  appId: string,
): Promise<App | null> {
  return (await findOwnSealedApp(call.reader, call.merchantId, appId))?.app ?? null;
}

/** Compares the merchant itself, because a flow's transaction is not walled by row-level security. */
async function findOwnSealedApp(
  reader: Reader,
  merchantId: string,
  appId: string,
): Promise<SealedApp | null> {
  const sealed = await readSealedApp(reader, appId);
  return sealed?.app.merchantId === merchantId ? sealed : null;
}

export type PresentedApp = ResponseOf<'apps.read'>['app'];

/** All settings of an app as they stand; null as in `findOwnApp`. */
export async function presentApp(
  reader: Reader,
  {
    merchantId,
    appId,
    nowMs,
  }: { readonly merchantId: string; readonly appId: string; readonly nowMs: number },
): Promise<PresentedApp | null> {
  const sealed = await findOwnSealedApp(reader, merchantId, appId);
  const settings = await readSettings(reader, appId);
  const limits = await readMerchantLimits(reader, merchantId);
  if (sealed === null || settings === null || limits === null) return null;
  const { app, previousKeyUntilMs } = sealed;
  const { accent, contact, frameOrigins, isTest, logo } = await readCheckoutPage(reader, appId);
  const settled = {
    app_id: appId,
    name: app.name,
    kind: app.kind,
    enabled: isAppOn(app),
    created_at: seconds(sealed.createdAtMs),
    is_test: isTest,
    callback_url: app.callbackUrl,
    tolerance_ppm: app.tolerancePpm,
    currencies_off: [...(await readCurrenciesOff(reader, appId))].toSorted((one, other) => one - other),
    one_time_codes: settings.isCodeOn,
    payout_rules: {
      fee_mode: settings.feeMode,
      max_usd: usdText(settings.maxValue),
      max_day_usd: usdText(settings.maxDayValue),
      approval_above_usd: usdText(settings.approvalAbove),
      address_list: settings.isAddressListOn,
      cooling_seconds: settings.coolingS,
    },
    network: {
      allowed_ranges: [...app.allowedRanges],
      min_operable_usd: usdText(app.minOperableValue),
    },
    page: { accent, contact, frame_origins: [...frameOrigins], is_test: isTest },
    logo_digest: logo === null ? null : createHash('sha256').update(logo).digest('hex'),
  };
  const codeSecret = await readSealedCodeSecret(reader, appId);
  // A new key or secret always has another sealed text, so the version changes with it. A click that was sent twice
  // therefore makes no second one.
  const secrets = [sealed.sealedKey.toString('hex'), codeSecret?.toString('hex') ?? null];
  const isKeyOld = previousKeyUntilMs === null || previousKeyUntilMs <= nowMs;
  return {
    ...settled,
    version: versionOf({ ...settled, secrets }),
    merchant_limits: limitTexts(limits),
    previous_key_until: isKeyOld ? null : seconds(previousKeyUntilMs),
  };
}
