// Settings of an app that are an administrator's: what an order may lack, and from where the API answers.
import { createHash } from 'node:crypto';
import type { ResponseOf } from '@ducat/contract/dashboard/registry';
import { isSignedBy, startTestApi, type TestApi } from '@ducat/testkit/api/test-api';
import { startTestDashboard, type TestDashboard } from '@ducat/testkit/api/test-dashboard';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { readCheckoutPage, readLogo } from '../../../db/tables/checkout-pages.ts';
import { changePage } from '../../../flows/merchants/change-page.ts';

let api: TestApi;
let dashboard: TestDashboard;
beforeAll(async () => {
  api = await startTestApi(inject('postgresAdminUrl'));
  dashboard = await startTestDashboard(api);
});
afterAll(async () => {
  await dashboard?.close();
  await api?.close();
});

// hits mark: a-tolerance-is-money
it('is the tolerance, and not what stands beside it', async () => {
  const developer = await dashboard.addPerson({ role: 'developer' });
  const admin = await dashboard.addPerson({ role: 'admin' });
  const mine = { merchant_id: 'mer_1', app_id: api.payment.appId };
  // An answer with status 200 has the fields that the registry gives to this operation.
  const version = async () => ((await developer.call('apps.read', mine)).body as ResponseOf<'apps.read'>).app;
  const before = await version();
  const change = { ...mine, version: before.version, tolerance_ppm: 999_999 };
  expect(await developer.call('apps.change', change)).toMatchObject({
    status: 403,
    body: { field: 'tolerance_ppm' },
  });
  const same = { ...change, tolerance_ppm: before.tolerance_ppm, currencies_off: [1000] };
  expect((await developer.call('apps.change', same)).status).toBe(200);
  const { version: now } = await version();
  expect((await admin.call('apps.change', { ...change, version: now })).status).toBe(200);
});

it('is off by its people, and on again by an operator alone', async () => {
  const developer = await dashboard.addPerson({ role: 'developer' });
  const operator = await dashboard.addPerson({ isOperator: true });
  const mine = { merchant_id: 'mer_1', app_id: api.payment.appId };
  const { app } = (await developer.call('apps.read', mine)).body as ResponseOf<'apps.read'>;
  const off = await developer.call('apps.change', { ...mine, version: app.version, enabled: false });
  expect(off.body).toMatchObject({ app: { enabled: false } });
  api.world.advance(5_000);
  expect((await api.call('/api/currency/token-list', {})).code).toBe(10006);
  const { version } = (off.body as ResponseOf<'apps.read'>).app;
  const again = { ...mine, version, enabled: true };
  expect((await developer.call('apps.change', again)).status).toBe(409);
  const on = { app_id: api.payment.appId, reason: 'asked for by its owner' };
  expect((await developer.call('merchants.switch-app-on', on)).status).toBe(403);
  expect((await operator.call('merchants.switch-app-on', { ...on, app_id: 'app_none' })).status).toBe(404);
  expect((await operator.call('merchants.switch-app-on', on)).status).toBe(200);
  api.world.advance(5_000);
  expect((await api.call('/api/currency/token-list', {})).code).toBe(0);
});

it('is whether it takes test coins alone, which stays until it is changed', async () => {
  const developer = await dashboard.addPerson({ role: 'developer' });
  const mine = { merchant_id: 'mer_1', app_id: api.payment.appId };
  const read = async () => ((await developer.call('apps.read', mine)).body as ResponseOf<'apps.read'>).app;
  const before = await read();
  const change = async (settings: object) => {
    const { version } = await read();
    expect((await developer.call('apps.change', { ...mine, version, ...settings })).status).toBe(200);
    return (await readCheckoutPage(api.database.reader, api.payment.appId)).isTest;
  };
  expect(before.page.is_test).toBe(false);
  expect(await change({ page: { ...before.page, is_test: true } })).toBe(true);
  expect(await read()).toMatchObject({ is_test: true, page: { is_test: true } });
  const listed = (await developer.call('apps.list', { merchant_id: 'mer_1' })).body;
  const { apps } = listed as ResponseOf<'apps.list'>;
  expect(apps.find(({ app_id: id }) => id === before.app_id)?.is_test).toBe(true);
  expect(await change({ currencies_off: before.currencies_off })).toBe(true);
  // A change that was made from what stood before is refused.
  const stale = { ...mine, version: before.version, page: before.page };
  expect(await developer.call('apps.change', stale)).toMatchObject({
    status: 409,
    body: { code: 'changed' },
  });
  expect(await change({ page: before.page })).toBe(false);
});

it('is whom payers ask and who frames the page, each refused by its own name', async () => {
  const developer = await dashboard.addPerson({ role: 'developer' });
  const mine = { merchant_id: 'mer_1', app_id: api.payment.appId };
  const set = async (change: object) => {
    const { app } = (await developer.call('apps.read', mine)).body as ResponseOf<'apps.read'>;
    const page = { ...app.page, ...change };
    return developer.call('apps.change', { ...mine, version: app.version, page });
  };
  // hits mark: payers-are-led-nowhere-else
  for (const contact of ['javascript:alert(1)', 'shop.example', 'http://shop.example', '@shop'])
    expect(await set({ contact })).toMatchObject({ status: 400, body: { field: 'contact' } });
  for (const contact of ['https://shop.example/help', 'help@shop.example'])
    expect((await set({ contact })).body).toMatchObject({ app: { page: { contact } } });
  const origin = await set({ frame_origins: ['https://shop.example', 'shop.example'] });
  expect(origin).toMatchObject({ status: 400, body: { field: 'frame_origins' } });
});

it('is saved beside a contact of an older form, which stays until it is changed', async () => {
  const developer = await dashboard.addPerson({ role: 'developer' });
  const mine = { merchant_id: 'mer_1', app_id: api.payment.appId };
  const contact = 'shop.example/help';
  await api.database.transact(async (tx) => {
    await changePage(tx, mine.app_id, { contact });
  });
  const set = async (change: object) => {
    const { app } = (await developer.call('apps.read', mine)).body as ResponseOf<'apps.read'>;
    return developer.call('apps.change', {
      ...mine,
      version: app.version,
      page: { ...app.page, ...change },
    });
  };
  expect((await set({ accent: '#112233' })).body).toMatchObject({
    app: { page: { accent: '#112233', contact } },
  });
  expect(await set({ contact: 'shop.example' })).toMatchObject({ status: 400, body: { field: 'contact' } });
  expect((await set({ contact: null })).body).toMatchObject({ app: { page: { contact: null } } });
  expect(await set({ contact })).toMatchObject({ status: 400, body: { field: 'contact' } });
});

it('is the logo of its pages, where that is a picture', async () => {
  const developer = await dashboard.addPerson({ role: 'developer' });
  const mine = { merchant_id: 'mer_1', app_id: api.payment.appId };
  const set = async (logo: string | null) => {
    const { app } = (await developer.call('apps.read', mine)).body as ResponseOf<'apps.read'>;
    return developer.call('apps.change-logo', { ...mine, version: app.version, logo });
  };
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>').toString('base64');
  expect(await set(svg)).toMatchObject({ status: 400, body: { field: 'logo' } });
  expect(await set('A'.repeat(87_388))).toMatchObject({ status: 400, body: { field: 'logo' } });
  expect(await set('A'.repeat(90_112))).toMatchObject({ body: { message: 'the request cannot be read' } });
  // As large as it may be, which a request still holds.
  const png = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(65_528)]);
  const digest = createHash('sha256').update(png).digest('hex');
  expect((await set(png.toString('base64'))).body).toMatchObject({ app: { logo_digest: digest } });
  expect(await readLogo(api.database.reader, digest)).toEqual(png);
  expect((await set(null)).body).toMatchObject({ app: { logo_digest: null } });
});

it('is alone in the size of its requests: no stranger makes the server hold more where there is no operation', async () => {
  const stranger = dashboard.visitor();
  const body = 'A'.repeat(65_537);
  for (const address of ['apps.change', 'nothing'])
    expect(await stranger.send(address, body)).toMatchObject({
      status: 400,
      body: { message: 'the request cannot be read' },
    });
});

// hits mark: an-app-answers-where-its-merchant-says
it('is from where the API answers, to a signature that fits, and what it is worth to move money for', async () => {
  const admin = await dashboard.addPerson({ role: 'admin' });
  const developer = await dashboard.addPerson({ role: 'developer' });
  const mine = { merchant_id: 'mer_1', app_id: api.payment.appId };
  const set = async (allowed_ranges: string[], who = admin) => {
    const { app } = (await admin.call('apps.read', mine)).body as ResponseOf<'apps.read'>;
    const network = { allowed_ranges, min_operable_usd: '12.5' };
    return who.call('apps.change-network', { ...mine, version: app.version, network });
  };
  expect((await set([], developer)).status).toBe(403);
  expect(await set(['10.1'])).toMatchObject({ status: 400, body: { field: 'network' } });
  const { body } = await set(['203.0.113.77/24']);
  expect(body).toMatchObject({
    app: { network: { allowed_ranges: ['203.0.113.0/24'], min_operable_usd: '12.5' } },
  });
  // Keys, and the app with them, are remembered so long.
  api.world.advance(5_000);
  const refused = await api.call('/api/currency/token-list', {});
  expect([refused.code, isSignedBy(refused, api.payment)]).toEqual([10006, true]);
  expect(refused.msg).toContain('127.0.0.1');
  const unsigned = await api.call('/api/currency/token-list', {}, { ...api.payment, appKey: 'k'.repeat(43) });
  expect([unsigned.code, unsigned.msg.includes('127.0.0.1')]).toEqual([10008, false]);
  expect((await set(['203.0.113.0/24', '127.0.0.1'])).status).toBe(200);
  api.world.advance(5_000);
  expect((await api.call('/api/currency/token-list', {})).code).toBe(0);
});

// hits mark: a-key-is-rotated-once
it('has a new key and a new secret once, however often that is sent', async () => {
  const owner = await dashboard.addPerson({ role: 'owner' });
  const mine = { merchant_id: 'mer_1', app_id: api.payment.appId };
  const read = async () => ((await owner.call('apps.read', mine)).body as ResponseOf<'apps.read'>).app;
  const twice = async (name: 'apps.rotate-key' | 'apps.switch-one-time-codes', change: object) => {
    const request = { ...mine, version: (await read()).version, ...change };
    const answers = await Promise.all([owner.send(name, request), owner.send(name, request)]);
    expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 409]);
    expect(await owner.send(name, request)).toMatchObject({ status: 409, body: { code: 'changed' } });
  };
  await twice('apps.rotate-key', { grace_seconds: 3_600 });
  // The shop's key works on.
  expect((await api.call('/api/currency/token-list', {})).code).toBe(0);
  await twice('apps.switch-one-time-codes', { is_on: true });
  await twice('apps.switch-one-time-codes', { is_on: true });
});
