// Only operators set limits and suspensions. A suspended merchant makes no app, and an app that is switched on ends none.
import { type DashboardShop, startDashboardShop } from '@ducat/testkit/api/dashboard-shop';
import { waitUntil } from '@ducat/devnet/process/wait-until';
import { suspendMerchant } from '../../../flows/merchants/suspend-merchant.ts';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';

const TO = '0x52908400098527886E0F7030069857D2E4169EE7';
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

it('sets limits that a merchant reads and cannot raise', async () => {
  await shop.orderPaid('paid', '10', 10_000_000n);
  const merchantRow = async () =>
    (await shop.ask('merchants.list', {}, shop.operator)).merchants.find(
      ({ merchant_id: id }) => id === 'mer_1',
    )!;
  const none = { payout_max_usd: null, payout_max_day_usd: null, max_open_orders: null };
  const before = await merchantRow();
  expect(before.limits).toEqual(none);
  const limits = { payout_max_usd: '2.5', payout_max_day_usd: '1000', max_open_orders: 0 };
  const change = { subject_merchant_id: 'mer_1', version: before.version, limits };
  expect(await shop.owner.call('merchants.change-limits', change)).toMatchObject({ status: 403 });
  await shop.ask('merchants.change-limits', change, shop.operator);
  expect(await shop.operator.call('merchants.change-limits', change)).toMatchObject({ status: 409 });
  const { appId } = shop.api.payment;
  const { app } = await shop.ask('apps.read', { ...mine, app_id: appId });
  expect(app.merchant_limits).toEqual(limits);
  const wish = { ...mine, app_id: appId, currency_id: 1001, amount: '3', to_address: TO };
  const { refusal } = await shop.ask('payouts.quote', wish, shop.finance);
  expect(refusal).toMatchObject({
    code: 'payout-limit',
    message: expect.stringContaining('limit of 2.5 USD for one payout that the operator set'),
  });
  // As long as an api remembers an app.
  shop.api.world.advance(5_001);
  const order = { out_trade_no: 'one-too-many', currency_id: 1001, token_amount: '1' };
  expect(await shop.api.call('/api/order/create', order)).toMatchObject({
    code: 10002,
    msg: expect.stringContaining('limit of 0 that the operator of this gateway set'),
  });
  const { entries } = await shop.ask('audit-log.list-all', {}, shop.operator);
  expect(entries[0]).toMatchObject({ operation: 'merchants.change-limits', subject: 'mer_1' });
  expect(JSON.parse(entries[0]!.detail)).toEqual(limits);
  const { version } = await merchantRow();
  await shop.ask('merchants.change-limits', { ...change, version, limits: none }, shop.operator);
  shop.api.world.advance(5_001);
  expect(await shop.api.call('/api/order/create', order)).toMatchObject({ code: 0 });
});

// hits mark: suspended-invites-nobody
it('is asked for again where it comes while an app or an invitation is made', async () => {
  const { transact, reader } = shop.api.database;
  const before = await appsOn();
  const asked = [
    ['apps.create', { ...mine, name: 'Meanwhile', kind: 'PAYMENT' }],
    ['team.invite', { ...mine, email: 'meanwhile@example.test', role: 'viewer' }],
  ] as const;
  for (const [name, request] of asked) {
    let answered: Promise<unknown> = Promise.resolve();
    await transact(async (tx) => {
      await suspendMerchant(tx, 'mer_1', true);
      answered = shop.owner.call(name, request);
      await waitUntil('the call to wait for the merchant', async () => {
        const sql = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
        return (await reader.read(sql, [])).length === 1;
      });
    });
    expect(await answered).toMatchObject({ status: 409, body: { code: 'conflict' } });
    await transact((tx) => suspendMerchant(tx, 'mer_1', false));
  }
  expect(await appsOn()).toEqual(before);
});

it('holds for every app that there is, lets its people make no other one and invite nobody, and leaves off what its people have switched off', async () => {
  const before = Object.keys(await appsOn());
  const [first = ''] = before;
  await switchOff(first);
  const made = await shop.ask('apps.create', { ...mine, name: 'Another', kind: 'PAYMENT' });
  await suspend(true);
  // hits mark: suspended-makes-nothing-new
  const third = { ...mine, name: 'A third', kind: 'PAYMENT' } as const;
  expect(await shop.owner.call('apps.create', third)).toMatchObject({ status: 409 });
  const invite = { ...mine, email: 'anybody@example.test', role: 'viewer' } as const;
  expect(await shop.owner.call('team.invite', invite)).toMatchObject({ status: 409 });
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
