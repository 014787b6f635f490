// What a developer may not set: what an order may lack and still count as paid.
import type { ResponseOf } from '@ducat/contract/dashboard/registry';
import { startTestApi, type TestApi } from '@ducat/testkit/api/test-api';
import { startTestDashboard, type TestDashboard } from '@ducat/testkit/api/test-dashboard';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';

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
