// What an app that is made on the dashboard can do at once.
import { type DashboardShop, startDashboardShop } from '@ducat/testkit/api/dashboard-shop';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';

let shop: DashboardShop;
beforeAll(async () => {
  shop = await startDashboardShop(inject('postgresAdminUrl'));
});
afterAll(() => shop.close());

it('has addresses for its orders, and a wallet of each family for its payouts', async () => {
  const { app_id: appId } = await shop.ask('apps.create', {
    merchant_id: 'mer_1',
    request_id: 'click-of-a-test-till',
    name: 'Till',
    kind: 'PAYMENT',
  });
  const made = await shop.api.database.reader.read(
    `SELECT family, purpose, count(*)::integer AS addresses FROM addresses WHERE app_id = $1
     GROUP BY family, purpose ORDER BY family, purpose`,
    [appId],
  );
  expect(made).toEqual([
    { family: 'evm', purpose: 'order', addresses: 20 },
    { family: 'evm', purpose: 'wallet', addresses: 1 },
    { family: 'tron', purpose: 'order', addresses: 20 },
    { family: 'tron', purpose: 'wallet', addresses: 1 },
  ]);
});
