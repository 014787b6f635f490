// apps.change, apps.change-payout-rules and one-time codes: settings change only from the version that the person saw.
import { isAppOn } from '@ducat/core/access/app-state';
import { isPermitted } from '@ducat/core/access/permissions';
import type { RequestOf } from '@ducat/contract/dashboard/registry';
import { PAYER_CONTACT_EXPECTS, payerContactLink } from '@ducat/contract/fields/payer-contact';
import type { Tx } from '../../../db/postgres/tx.ts';
import { changeApp } from '../../../flows/merchants/change-app.ts';
import { changeNetwork } from '../../../flows/merchants/change-network.ts';
import { changePage } from '../../../flows/merchants/change-page.ts';
import { changeRules } from '../../../flows/payouts/change-rules.ts';
import { setCodeSecret } from '../../../flows/payouts/codes/set-code-secret.ts';
import { canonicalRange } from '../../../http/address-ranges.ts';
import { pictureType } from '../../../http/picture-type.ts';
import { answer, type Answer, type Handler, refusal, unknown } from '../call.ts';
import type { MerchantCall } from '../merchant-scope.ts';
import { mailAdministrators } from '../notices/mail-notice.ts';
import { atVersion } from './app-at-version.ts';
import { findOwnApp, presentApp, SWITCHED_OFF, type PresentedApp } from './own-app.ts';
import { usdOf } from '../texts.ts';
import { privateHook } from './private-hook.ts';

type Refused = ReturnType<typeof refusal>;
type Page = PresentedApp['page'];

export const handleAppChange: Handler<'apps.change'> = async (call, request) => {
  const { deps } = call;
  const { callback_url: callbackUrl } = request;
  const hook = privateHook(deps, callbackUrl ?? null);
  if (hook !== null) return hook;
  const app = await findOwnApp(call, request.app_id);
  // mark: a-suspension-is-the-operators
  if (request.enabled === true && app !== null && !isAppOn(app))
    return refusal('conflict', `${SWITCHED_OFF}: an operator switches it on again`);
  const tolerance = request.tolerance_ppm ?? app?.tolerancePpm;
  // mark: a-tolerance-is-money
  if (tolerance !== app?.tolerancePpm && !isPermitted({ role: call.role, isOperator: false }, 'administer'))
    return refusal('not-permitted', 'another tolerance needs a role with the permission administer', {
      field: 'tolerance_ppm',
    });
  return changeFrom(call, request, async (tx, before) => {
    const unfit = request.page === undefined ? null : unfitPage(request.page, before.page);
    if (unfit !== null) return unfit;
    if (callbackUrl !== undefined && callbackUrl !== before.callback_url)
      await mailAdministrators(tx, call, 'webhook-changed', before.name);
    if (request.tolerance_ppm !== undefined && request.tolerance_ppm !== before.tolerance_ppm)
      await mailAdministrators(tx, call, 'tolerance-changed', before.name);
    await applyChange(tx, before, request);
    return null;
  });
};

async function applyChange(tx: Tx, before: PresentedApp, request: RequestOf<'apps.change'>): Promise<void> {
  const { app_id: appId, enabled, callback_url: callbackUrl, tolerance_ppm: tolerancePpm } = request;
  const off = request.currencies_off ?? before.currencies_off;
  const on = before.currencies_off.filter((currencyId) => !off.includes(currencyId));
  await changeApp(tx, {
    appId,
    enabled,
    callbackUrl,
    ...(tolerancePpm === undefined ? {} : { tolerancePpm }),
    currenciesOff: [...new Set(off)],
    currenciesOn: on,
  });
  if (request.page === undefined) return;
  const { accent, contact, frame_origins: frameOrigins, is_test: isTest } = request.page;
  await changePage(tx, appId, { accent, contact, frameOrigins, isTest });
}

export const handleLogoChange: Handler<'apps.change-logo'> = (call, request) => {
  const logo = request.logo === null ? null : Buffer.from(request.logo, 'base64');
  if (logo !== null && pictureType(logo) === null) {
    const message = 'logo is neither a PNG nor a JPEG nor a WebP picture';
    return Promise.resolve(refusal('field-invalid', message, { field: 'logo' }));
  }
  return changeFrom(call, request, async (tx) => {
    await changePage(tx, request.app_id, { logo });
    return null;
  });
};

export const handleRulesChange: Handler<'apps.change-payout-rules'> = (call, request) => {
  const { app_id: appId, payout_rules: rules } = request;
  return changeFrom(call, request, async (tx, { name }) => {
    await mailAdministrators(tx, call, 'payout-rules-changed', name);
    await changeRules(tx, appId, {
      feeMode: rules.fee_mode,
      maxValue: usdOf(rules.max_usd),
      maxDayValue: usdOf(rules.max_day_usd),
      approvalAbove: usdOf(rules.approval_above_usd),
      isAddressListOn: rules.address_list,
      coolingS: rules.cooling_seconds,
    });
    return null;
  });
};

export const handleNetworkChange: Handler<'apps.change-network'> = (call, request) => {
  const { app_id: appId, network } = request;
  const ranges = network.allowed_ranges.map(canonicalRange);
  const wrong = network.allowed_ranges.find((_, place) => ranges[place] === null);
  if (wrong !== undefined)
    return Promise.resolve(
      refusal('field-invalid', `"${wrong}" is no address and no range such as 203.0.113.0/24`, {
        field: 'network',
      }),
    );
  const allowedRanges = [...new Set(ranges.flatMap((range) => range ?? []))].toSorted();
  return changeFrom(call, request, async (tx, { name, network: before }) => {
    // The stored ranges are canonical, unique and sorted too, so the joined texts can be compared.
    if (before.allowed_ranges.join() !== allowedRanges.join())
      await mailAdministrators(tx, call, 'sources-changed', name);
    await changeNetwork(tx, appId, { allowedRanges, minOperableValue: usdOf(network.min_operable_usd) });
    return null;
  });
};

export const handleCodeSwitch: Handler<'apps.switch-one-time-codes'> = (call, request) => {
  const { app_id: appId, is_on: isOn } = request;
  const made = isOn ? call.deps.oneTimeCodes.create(appId) : null;
  return atVersion(call, request, async (tx, { name }) => {
    await setCodeSecret(tx, appId, made?.sealed ?? null);
    await mailAdministrators(tx, call, 'payout-rules-changed', name);
    await call.record(tx, { subject: appId, detail: isOn ? 'on' : 'off' });
    return answer({ setup_url: made?.setupUrl ?? null });
  });
};

/**
 * Applies the change, and writes the settings that differ afterwards into the audit log. A change that is refused returns
 * why, before it writes anything.
 */
function changeFrom(
  call: MerchantCall,
  request: { readonly app_id: string; readonly version: string },
  change: (tx: Tx, before: PresentedApp) => Promise<Refused | null>,
): Promise<Answer<{ app: PresentedApp }>> {
  const { merchantId, nowMs } = call;
  const { app_id: appId } = request;
  return atVersion(call, request, async (tx, before) => {
    const refused = await change(tx, before);
    if (refused !== null) return refused;
    const after = await presentApp(tx, { merchantId, appId, nowMs });
    if (after === null) return unknown('app');
    await call.record(tx, { subject: appId, detail: differences(before, after) });
    return answer({ app: after });
  });
}

/** The settings that changed, as JSON: each key with its value before and after. */
function differences(before: PresentedApp, after: PresentedApp): string {
  const keys = Object.keys(after) as (keyof PresentedApp)[];
  const changed = keys.filter(
    (key) => key !== 'version' && JSON.stringify(before[key]) !== JSON.stringify(after[key]),
  );
  return JSON.stringify(Object.fromEntries(changed.map((key) => [key, [before[key], after[key]]])));
}

/**
 * What the payment page cannot show or say to browsers; null where nothing is wrong. A contact that was stored before this
 * rule may stay: pages do not link it, and the other settings can be saved beside it.
 */
function unfitPage({ contact, frame_origins: origins }: Page, before: Page): Refused | null {
  // mark: payers-are-led-nowhere-else
  if (contact !== null && contact !== before.contact && payerContactLink(contact) === null)
    return refusal('field-invalid', `must be ${PAYER_CONTACT_EXPECTS}`, { field: 'contact' });
  const wrong = origins.find((origin) => !isOrigin(origin));
  if (wrong === undefined) return null;
  const message = `"${wrong}" is no origin such as https://shop.example`;
  return refusal('field-invalid', message, { field: 'frame_origins' });
}

/**
 * The origin becomes a source of a content security policy. So it must hold no character that ends a source, and no
 * wildcard.
 */
function isOrigin(text: string): boolean {
  if (/[^a-z0-9.:/[\]-]/i.test(text)) return false;
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol) && new URL(text).origin === text;
}
