// A click that is sent twice, or again after its answer was lost, makes one thing and shows its key or link once.
import { type DashboardShop, startDashboardShop } from '@ducat/testkit/api/dashboard-shop';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';

let shop: DashboardShop;
beforeAll(async () => {
  shop = await startDashboardShop(inject('postgresAdminUrl'));
});
afterAll(() => shop.close());

const mine = { merchant_id: 'mer_1' };
const click = (name: string) => `click-of-a-test-${name}`;
const count = async (table: string) =>
  (await shop.api.database.reader.read<{ n: number }>(`SELECT count(*)::integer AS n FROM ${table}`, []))[0]
    ?.n;
const made = { status: 409, body: { code: 'already-made' } };

// hits mark: a-click-makes-one-thing
describe('a click that is sent again', () => {
  it('makes one app, whose key only the first answer shows', async () => {
    const before = (await count('apps')) ?? 0;
    const request = { ...mine, request_id: click('app'), name: 'Till', kind: 'PAYMENT' } as const;
    const both = await Promise.all([1, 2].map(() => shop.owner.call('apps.create', request)));
    expect(both.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 409]);
    const first = both.find(({ status }) => status === 200)?.body ?? {};
    const again = await shop.owner.call('apps.create', request);
    expect(again).toMatchObject(made);
    expect(again.body['message']).toContain(String(first['app_id']));
    expect(JSON.stringify(again.body)).not.toContain(String(first['app_key']));
    expect(await count('apps')).toBe(before + 1);
    const access = { appId: String(first['app_id']), appKey: String(first['app_key']) };
    const order = { out_trade_no: 'one', currency_id: 1001, token_amount: '1' };
    expect(await shop.api.call('/api/order/create', order, access)).toMatchObject({ code: 0 });
  });

  it('gives an app the addresses that the first try did not get to', async () => {
    const request = { ...mine, request_id: click('half'), name: 'Half', kind: 'PAYMENT' } as const;
    const { app_id: appId } = await shop.ask('apps.create', request);
    const { transact } = shop.api.database;
    await transact((tx) => tx.write('DELETE FROM addresses WHERE app_id = $1', [appId]));
    await transact((tx) => tx.write('DELETE FROM account_keys WHERE app_id = $1', [appId]));
    expect(await shop.owner.call('apps.create', request)).toMatchObject(made);
    expect(await count(`addresses WHERE app_id = '${appId}'`)).toBeGreaterThan(0);
  });

  it('makes one invitation of a member and one of an operator', async () => {
    const member = {
      ...mine,
      request_id: click('member'),
      email: 'eve@example.test',
      role: 'viewer',
    } as const;
    await shop.ask('team.invite', member);
    expect(await shop.owner.call('team.invite', member)).toMatchObject(made);
    const operator = { request_id: click('operator'), email: 'oda@example.test' };
    await shop.ask('people.invite', operator, shop.operator);
    expect(await shop.operator.call('people.invite', operator)).toMatchObject(made);
    expect(await count('invitations')).toBe(2);
  });

  it('makes one merchant, and shows the link of its owner once', async () => {
    const before = (await count('merchants')) ?? 0;
    const fees = { deposit_fee_ppm: 0, payout_fee_ppm: 0 };
    const own = { ...fees, request_id: click('own'), name: 'Own' };
    const first = await shop.ask('merchants.create', own, shop.operator);
    expect(await shop.ask('merchants.create', own, shop.operator)).toEqual(first);
    const other = { ...fees, request_id: click('other'), name: 'Other', owner_email: 'bob@example.test' };
    await shop.ask('merchants.create', other, shop.operator);
    expect(await shop.operator.call('merchants.create', other)).toMatchObject(made);
    expect(await count('merchants')).toBe(before + 2);
  });
});

describe('the name of a click', () => {
  it('stands for what was asked first, and for nothing else', async () => {
    const request = { ...mine, request_id: click('same'), name: 'Same', kind: 'PAYMENT' } as const;
    await shop.ask('apps.create', request);
    const refused = { status: 409, body: { code: 'conflict', field: 'request_id' } };
    expect(await shop.owner.call('apps.create', { ...request, name: 'Else' })).toMatchObject(refused);
    const invite = { ...mine, request_id: click('same'), email: 'ed@example.test', role: 'viewer' } as const;
    expect(await shop.owner.call('team.invite', invite)).toMatchObject(refused);
  });

  it('is free for another person, and again after a refusal and after a month', async () => {
    const admin = { ...mine, request_id: click('free'), email: 'ed@example.test', role: 'owner' } as const;
    expect((await shop.finance.call('team.invite', admin)).status).toBe(403);
    await shop.ask('team.invite', admin);
    const operator = { request_id: click('free'), email: shop.operator.email };
    const refused = { status: 409, body: { code: 'conflict' } };
    for (const _ of [1, 2])
      expect(await shop.operator.call('people.invite', operator)).toMatchObject(refused);
    await shop.ask('people.invite', { ...operator, email: 'fay@example.test' }, shop.operator);
    const month = 31 * 24 * 60 * 60 * 1000;
    await shop.api.database.transact((tx) =>
      tx.write('UPDATE dashboard_requests SET made_at_ms = made_at_ms - $1', [month]),
    );
    await shop.ask('team.invite', admin);
  });
});
