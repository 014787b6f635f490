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

it('keeps when it was first and last seen and what was said last, however many note it', async () => {
  const { deps } = dashboard;
  const { world } = shop.api;
  const suspend = (reason: string) =>
    shop.ask('currencies.suspend', { currency_id: 2001, reason }, shop.operator);
  const resume = () => shop.ask('currencies.resume', { currency_id: 2001 }, shop.operator);
  const now = () => Math.floor(world.nowMs() / 1_000);
  await suspend('depegged');
  const first = now();
  await Promise.all([noteIncidents(deps), noteIncidents(deps), noteIncidents(deps)]);
  world.advance(60_000);
  await noteIncidents(deps);
  const seen = { kind: 'currency-suspended', subject: 'USDT on BSC', detail: 'depegged' };
  await resume();
  world.advance(60_000);
  // One that was away for two rounds may be seen by another dashboard.
  await noteIncidents(deps);
  expect(await past()).toEqual([]);
  world.advance(30_000);
  await noteIncidents(deps);
  expect(await past()).toEqual([{ ...seen, first_seen: first, last_seen: first + 60 }]);
  await suspend('again');
  await noteIncidents(deps);
  await resume();
  world.advance(90_000);
  await noteIncidents(deps);
  expect(await past()).toMatchObject([{ ...seen, detail: 'again' }, seen]);
  // What still lasts is not over.
  expect((await past()).map(({ kind }) => kind)).not.toContain('backup-missing');
});

it('is not ended by a dashboard that does not know what it is about', async () => {
  const { deps } = dashboard;
  const { catalogue } = deps;
  const older = { ...deps, catalogue: { ...catalogue, find: () => null, chains: () => [] } };
  await shop.ask('currencies.suspend', { currency_id: 2001, reason: 'seen by one' }, shop.operator);
  for (let rounds = 0; rounds < 5; rounds += 1) {
    await noteIncidents(deps);
    await noteIncidents(older);
    shop.api.world.advance(30_000);
  }
  expect((await past()).map(({ detail }) => detail)).not.toContain('seen by one');
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
