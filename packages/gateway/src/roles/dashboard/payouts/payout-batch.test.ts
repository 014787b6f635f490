// A file of payouts in a real browser: what was made stays made, and the rest goes on from there.
import { type DashboardShop, startDashboardShop } from '@ducat/testkit/api/dashboard-shop';
import { signIn } from '@ducat/testkit/api/test-dashboard';
import { openBrowser } from '@ducat/testkit/browser/open-browser';
import { openPayerPage, type PayerPage } from '@ducat/testkit/browser/payer-page';
import { type ServedDashboard, serveDashboard } from '@ducat/testkit/browser/serve-dashboard';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { insertMember } from '../../../db/tables/access/memberships.ts';

const TO = '0x52908400098527886E0F7030069857D2E4169EE7';

let shop: DashboardShop;
let dashboard: ServedDashboard;
let visit: PayerPage;
beforeAll(async () => {
  shop = await startDashboardShop(inject('postgresAdminUrl'));
  dashboard = await serveDashboard(shop.api);
  const { database, world } = shop.api;
  await shop.orderPaid('1042', '1000', 1_000_000_000n);
  const ada = { email: 'ada@example.test', name: 'Ada', isOperator: false, passwordHash: '' };
  const { token } = await signIn(database.transact, world, ada, async (tx, personId) => {
    await insertMember(tx, { personId, role: 'owner', sinceMs: world.nowMs(), merchantId: 'mer_1' });
  });
  visit = await openPayerPage(await openBrowser(), {
    context: { viewport: { width: 1_280, height: 800 }, reducedMotion: 'reduce' },
  });
  const { page } = visit;
  await page.clock.setFixedTime(world.nowMs());
  await page.context().addCookies([{ name: 'ducat-session', value: token, url: dashboard.url }]);
});
afterAll(async () => {
  await visit?.close();
  await dashboard?.close();
  await shop?.close();
});

const lines = ['to_address,amount', `${TO},800`, `${TO},100`, `${TO},50`].join('\n');
const button = (name: string) => visit.page.getByRole('button', { name, exact: true });
const canPress = (name: string) => button(name).and(visit.page.locator(':enabled')).waitFor();
const state = (line: number) => visit.page.locator('tbody tr').nth(line).locator('td').last();

async function readFile(): Promise<void> {
  const { page } = visit;
  await page.goto(`${dashboard.url}/m/mer_1/payouts/batch`);
  await page.getByLabel('From balance').selectOption(`${shop.api.payment.appId} 1001`);
  const file = { name: 'a.csv', mimeType: 'text/csv', buffer: Buffer.from(lines) };
  await page.getByLabel('CSV file').setInputFiles(file);
  await button('Read and price').click();
}

/** The next payout that is asked for is refused so. */
async function refuseOnce(status: number, refusal: object): Promise<void> {
  let isRefused = false;
  await visit.page.route('**/api/payouts.create', async (route) => {
    const isSecond = route.request().postDataJSON().amount === '100';
    if (isRefused || !isSecond) return route.fallback();
    isRefused = true;
    await route.fulfill({ status, contentType: 'application/json', body: JSON.stringify(refusal) });
  });
}

/** The payouts by what they send: the clock stands still, so their order says nothing. */
async function payouts(): Promise<ReadonlyMap<string, string>> {
  const { payouts: all } = await shop.ask('payouts.list', { merchant_id: 'mer_1' });
  const made = new Map(all.map(({ amount, trade_no: tradeNo }) => [amount, tradeNo]));
  expect(made.size).toBe(all.length);
  return made;
}
const amounts = async () => [...(await payouts()).keys()].toSorted();

describe('a file of payouts', () => {
  it('stops at a line that is refused, and says which lines were made', async () => {
    await readFile();
    await refuseOnce(409, { code: 'rate-unavailable', message: 'there is no rate for it now' });
    await button('Pay out 3 lines, 962.285 USDT').click();
    await state(1).getByText('There is no fresh price right now').waitFor();
    await state(0).getByText('Made', { exact: true }).waitFor();
    expect(await amounts()).toEqual(['800']);
    // Only what is left is in the sum, and can be tried again as it stands.
    await canPress('Pay out 2 lines, 158.045 USDT');
  });

  it('is read again on the same page, and what was made is neither priced nor refused', async () => {
    await button('Read and price').click();
    await state(1).getByText('Ready', { exact: true }).waitFor();
    await state(2).getByText('Ready', { exact: true }).waitFor();
    expect(await state(0).innerText()).toBe('Made');
    await refuseOnce(409, { code: 'changed', message: 'it costs more now' });
    await button('Pay out 2 lines, 158.045 USDT').click();
    await state(1).getByText('please look again').waitFor();
    await canPress('Pay out 2 lines, 158.045 USDT');
    expect(await amounts()).toEqual(['800']);
  });

  it('goes on where it stopped after the page was left, and makes each payout once', async () => {
    await visit.page.unroute('**/api/payouts.create');
    await readFile();
    await state(1).getByText('Ready', { exact: true }).waitFor();
    expect(await state(0).innerText()).toBe('Made');
    await button('Pay out 2 lines, 158.045 USDT').click();
    await visit.page.getByText('All payouts are made.').waitFor();
    expect(await amounts()).toEqual(['100', '50', '800']);

    await readFile();
    await visit.page.getByText('All payouts are made.').waitFor();
    expect(await amounts()).toEqual(['100', '50', '800']);
    await state(1).getByRole('link', { name: 'Made' }).click();
    await visit.page.waitForURL(`**/payouts/${(await payouts()).get('100')}`);
    expect(visit.complaints.filter((each) => !each.includes('409'))).toEqual([]);
  });

  it('says that a payout of it was cancelled, and makes none in its place', async () => {
    const tradeNo = (await payouts()).get('50') ?? '';
    const cancelled = { merchant_id: 'mer_1', trade_no: tradeNo, reason: 'not needed' };
    await shop.ask('payouts.cancel', cancelled);
    await readFile();
    await state(2).getByRole('link', { name: 'Cancelled' }).waitFor();
    await visit.page.getByText('Some payouts of this file failed or were cancelled.').waitFor();
    expect(await visit.page.getByText('All payouts are made.').count()).toBe(0);
  });
});
