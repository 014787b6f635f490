// What waited for an operator is written down while it lasts, once, and looked back on when it is over.
import { Bug } from '@ducat/core/assert';
import { type DashboardShop, startDashboardShop } from '@ducat/testkit/api/dashboard-shop';
import { startTestDashboard, type TestDashboard } from '@ducat/testkit/api/test-dashboard';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { Outage } from '../../../runtime/outage.ts';
import { keepIncidents, noteIncidents } from './incident-history.ts';

let shop: DashboardShop;
let dashboard: TestDashboard;
beforeAll(async () => {
  shop = await startDashboardShop(inject('postgresAdminUrl'));
  dashboard = await startTestDashboard(shop.api);
});
afterAll(async () => {
  await dashboard?.close();
  await shop?.close();
});

const past = async () => (await shop.ask('incidents.list-past', {}, shop.operator)).incidents;

it('keeps what is over with its beginning, its end and what was said last, however often it is noted', async () => {
  const { deps } = dashboard;
  const suspend = (reason: string) =>
    shop.ask('currencies.suspend', { currency_id: 2001, reason }, shop.operator);
  const now = () => Math.floor(shop.api.world.nowMs() / 1_000);
  await suspend('depegged');
  const beganAt = now();
  await Promise.all([noteIncidents(deps), noteIncidents(deps), noteIncidents(deps)]);
  shop.api.world.advance(60_000);
  await noteIncidents(deps);
  expect(await past()).toEqual([]);
  await shop.ask('currencies.resume', { currency_id: 2001 }, shop.operator);
  await noteIncidents(deps);
  await noteIncidents(deps);
  const first = { kind: 'currency-suspended', subject: 'USDT on BSC', detail: 'depegged' };
  expect(await past()).toEqual([{ ...first, began_at: beganAt, ended_at: beganAt + 60 }]);
  await suspend('again');
  await noteIncidents(deps);
  await shop.ask('currencies.resume', { currency_id: 2001 }, shop.operator);
  await noteIncidents(deps);
  expect(await past()).toMatchObject([{ ...first, detail: 'again' }, first]);
  // What still lasts is not over.
  expect((await past()).map(({ kind }) => kind)).not.toContain('backup-missing');
});

it.each([
  ['an outage', new Outage('away'), 0],
  ['a broken assertion', new Bug('cannot be'), 1],
])('goes on after %s', async (_, error, bugs) => {
  const stopping = new AbortController();
  let rounds = 0;
  let met = 0;
  await keepIncidents(
    {
      ...dashboard.deps,
      transact: () => Promise.reject(error),
      world: {
        ...dashboard.deps.world,
        sleep: async () => {
          rounds += 1;
          if (rounds === 2) stopping.abort();
        },
      },
      onBug: () => {
        met += 1;
      },
    },
    stopping.signal,
  );
  expect([rounds, met]).toEqual([2, 2 * bugs]);
});
