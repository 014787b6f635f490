// A chain or a currency that an operator stops takes no orders until it goes on.
import { type DashboardShop, startDashboardShop } from '@ducat/testkit/api/dashboard-shop';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';

let shop: DashboardShop;
beforeAll(async () => {
  shop = await startDashboardShop(inject('postgresAdminUrl'));
});
afterAll(() => shop?.close());

it('lets operators pause a chain and a currency, which orders meet at once, and resume them as they were seen', async () => {
  await shop.ask('chains.pause', { chain: 'BSC', reason: 'node upgrade' }, shop.operator);
  const order = { out_trade_no: 'paused', currency_id: 2001, token_amount: '1' };
  expect(await shop.api.call('/api/order/create', order)).toMatchObject({ code: 20003 });
  const { chains } = await shop.ask('chains.list', {}, shop.operator);
  const bsc = chains.find(({ chain }) => chain === 'BSC')!;
  expect(bsc.halted_reason).toContain('node upgrade');
  const stale = { chain: 'BSC', halted_reason: 'another one' };
  expect(await shop.operator.call('chains.resume', stale)).toMatchObject({
    status: 409,
    body: { code: 'changed' },
  });
  await shop.ask('chains.resume', { chain: 'BSC', halted_reason: bsc.halted_reason ?? '' }, shop.operator);
  expect(await shop.api.call('/api/order/create', order)).toMatchObject({ code: 0 });
  await shop.ask('currencies.suspend', { currency_id: 2001, reason: 'depegged' }, shop.operator);
  const { currencies } = await shop.ask('currencies.list-all', {}, shop.operator);
  expect(currencies).toContainEqual(expect.objectContaining({ currency_id: 2001, suspended: 'depegged' }));
  const { incidents } = await shop.ask('incidents.list', {}, shop.operator);
  expect(incidents.map(({ kind }) => kind)).toContain('currency-suspended');
  await shop.ask('currencies.resume', { currency_id: 2001 }, shop.operator);
  expect(await shop.owner.call('chains.pause', { chain: 'BSC', reason: 'mine' })).toMatchObject({
    status: 403,
  });
  const { entries } = await shop.ask('audit-log.list-all', {}, shop.operator);
  expect(entries.map(({ operation }) => operation)).toContain('chains.pause');
});
