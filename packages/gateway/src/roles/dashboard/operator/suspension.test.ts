// A suspension is the operator's alone: neither another app nor one that is switched on ends it, and it ends nothing else.
import { type DashboardShop, startDashboardShop } from '@ducat/testkit/api/dashboard-shop';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';

const mine = { merchant_id: 'mer_1' };
let shop: DashboardShop;
beforeAll(async () => {
  shop = await startDashboardShop(inject('postgresAdminUrl'), {});
});
afterAll(() => shop?.close());

/** Suspends the merchant, or ends that. */
async function suspend(isSuspended: boolean): Promise<void> {
  const { merchants } = await shop.ask('merchants.list', {}, shop.operator);
  const version = merchants.find(({ merchant_id: id }) => id === 'mer_1')?.version ?? '';
  const which = { subject_merchant_id: 'mer_1', version, reason: 'fraud' };
  const { merchant } = await shop.ask(
    'merchants.switch',
    { ...which, is_suspended: isSuspended },
    shop.operator,
  );
  expect(merchant.is_suspended).toBe(isSuspended);
}

/** By the app, whether it is on. */
async function appsOn(): Promise<Readonly<Record<string, boolean>>> {
  const { apps } = await shop.ask('apps.list', mine);
  return Object.fromEntries(apps.map(({ app_id: id, enabled }) => [id, enabled]));
}

async function switchOff(appId: string): Promise<void> {
  const { app } = await shop.ask('apps.read', { ...mine, app_id: appId });
  await shop.ask('apps.change', { ...mine, app_id: appId, version: app.version, enabled: false });
}

it('holds for every app that there is or will be, and leaves off what its people have switched off', async () => {
  const before = Object.keys(await appsOn());
  const [first = ''] = before;
  await switchOff(first);
  await suspend(true);
  const made = await shop.ask('apps.create', { ...mine, name: 'Another', kind: 'PAYMENT' });
  const another = { appId: made.app_id, appKey: made.app_key };
  const order = { out_trade_no: 'one', currency_id: 1001, token_amount: '1' };
  expect(await shop.api.call('/api/order/create', order, another)).toMatchObject({ code: 10006 });
  expect(Object.values(await appsOn())).toEqual([...before, another.appId].map(() => false));

  await shop.ask('merchants.switch-app-on', { app_id: another.appId, reason: 'asked for' }, shop.operator);
  expect(await appsOn()).toMatchObject({ [another.appId]: false });
  await suspend(false);
  expect(await appsOn()).toMatchObject({ [first]: false, [another.appId]: true });
  shop.api.world.advance(6_000);
  expect(await shop.api.call('/api/order/create', order, another)).toMatchObject({ code: 0 });
});
