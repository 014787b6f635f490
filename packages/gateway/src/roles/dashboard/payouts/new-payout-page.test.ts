// The form of a payout in a real browser: the cost of what is typed, a price that is missing, and the address list.
import { insertMember } from '@ducat/gateway/db/tables/access/memberships';
import { type DashboardShop, startDashboardShop } from '@ducat/testkit/api/dashboard-shop';
import { signIn } from '@ducat/testkit/api/test-dashboard';
import { openBrowser } from '@ducat/testkit/browser/open-browser';
import { openPayerPage, type PayerPage } from '@ducat/testkit/browser/payer-page';
import { type ServedDashboard, serveDashboard } from '@ducat/testkit/browser/serve-dashboard';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';

const COLD = '0x52908400098527886E0F7030069857D2E4169EE7';
const SUPPLIER = '0x8617E340B3D01FA5F11F306F4090FD50E238070D';
const DAY_MS = 86_400_000;

let shop: DashboardShop;
let dashboard: ServedDashboard;
let visit: PayerPage;
beforeAll(async () => {
  shop = await startDashboardShop(inject('postgresAdminUrl'));
  dashboard = await serveDashboard(shop.api);
  const { database, world, payment } = shop.api;
  await shop.orderPaid('1042', '25.5', 25_500_000n);
  const listed = { merchant_id: 'mer_1', app_id: payment.appId, family: 'evm' } as const;
  await shop.ask('address-list.add', { ...listed, address: COLD, label: 'Cold wallet' });
  world.advance(8 * DAY_MS);
  await shop.bookFinal(() => []);
  const ada = { email: 'ada@example.test', name: 'Ada', isOperator: false, passwordHash: '' };
  const { token } = await signIn(database.transact, world, ada, async (tx, personId) => {
    await insertMember(tx, { personId, role: 'owner', sinceMs: world.nowMs(), merchantId: 'mer_1' });
  });
  // Added now, so it cools.
  await database.transact((tx) =>
    tx.write(
      `INSERT INTO payout_addresses SELECT app_id, family, lower($1), 'Tea supplier', added_by, $2
         FROM payout_addresses LIMIT 1`,
      [SUPPLIER, world.nowMs()],
    ),
  );
  visit = await openPayerPage(await openBrowser(), { context: { reducedMotion: 'reduce' } });
  const { page } = visit;
  await page.clock.setFixedTime(world.nowMs());
  await page.context().addCookies([{ name: 'ducat-session', value: token, url: dashboard.url }]);
  await page.goto(`${dashboard.url}/m/mer_1/payouts/new`);
});
afterAll(async () => {
  await visit?.close();
  await dashboard?.close();
  await shop?.close();
});

const cost = () => visit.page.getByRole('region', { name: 'What it costs now' });
const type = (label: string, text: string) => visit.page.getByLabel(label, { exact: true }).fill(text);

describe('the form of a payout', () => {
  it('takes the recipient from the address list by its name, which says what has cooled', async () => {
    const { page } = visit;
    await page.getByRole('button', { name: 'Pick from the address list' }).click();
    const rows = page.getByRole('dialog').locator('tbody tr');
    await rows.filter({ hasText: 'Cold wallet' }).getByText('Usable').waitFor();
    await rows.filter({ hasText: 'Tea supplier' }).getByText('Cools until').waitFor();
    await page.getByRole('searchbox').fill('cold');
    await rows.filter({ hasText: 'Tea supplier' }).waitFor({ state: 'detached' });
    await rows.getByRole('button').click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await page.getByLabel('To', { exact: true }).inputValue()).toBe(COLD);
  });

  it('says what the typed amount costs, and anew for another amount', async () => {
    await cost().getByText('stands here once').waitFor();
    await type('Amount', '5');
    const gets = cost().locator('dl > div').filter({ hasText: 'Recipient gets' });
    await gets.getByText('5.00').waitFor();
    await cost().getByText('Priced now').waitFor();
    await type('Amount', '6.5');
    await gets.getByText('6.50').waitFor();
    await type('Amount', 'six');
    await cost().getByText('stands here once').waitFor();
    expect(visit.complaints.splice(0).filter((each) => !each.includes('400'))).toEqual([]);
  });

  it('keeps the balance that it was typed for, whatever comes to stand before it', async () => {
    const { page } = visit;
    const source = page.getByLabel('From balance', { exact: true });
    const before = await source.inputValue();
    await page.route('**/api/balances.read', async (route) => {
      const response = await route.fetch();
      const body = await response.json();
      const [first] = body.balances;
      await route.fulfill({
        response,
        json: { ...body, balances: [{ ...first, currency_id: 1000 }, ...body.balances] },
      });
    });
    await type('Amount', '5');
    await page.getByRole('button', { name: 'Review' }).click();
    await page.getByRole('dialog').waitFor();
    await source.locator('option').nth(1).waitFor({ state: 'attached' });
    expect(await source.inputValue()).toBe(before);
    await page.unroute('**/api/balances.read');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(visit.complaints.splice(0)).toEqual([]);
  });

  it('says that there is no price, and shows the cost as soon as there is one', async () => {
    const { page, complaints } = visit;
    const refusal = { code: 'rate-unavailable', message: 'there is no rate for it now' };
    await page.route('**/api/payouts.quote', (route) =>
      route.fulfill({ status: 409, contentType: 'application/json', body: JSON.stringify(refusal) }),
    );
    await type('Amount', '7');
    await cost().getByText('There is no fresh price right now').waitFor();
    await page.unroute('**/api/payouts.quote');
    await type('Amount', '8');
    await cost().getByText('8.00').first().waitFor();
    expect(complaints.splice(0).filter((each) => !each.includes('409'))).toEqual([]);
  });
});
