// The dashboard in a real browser: the built pages against the role and its database, from the first sign-in to a payout.
import { Secret, TOTP } from 'otpauth';
import { type DashboardShop, startDashboardShop } from '@ducat/testkit/api/dashboard-shop';
import { NOW } from '@ducat/testkit/api/test-api';
import { TEST_PASSWORD } from '@ducat/testkit/api/test-dashboard';
import { axeFindings } from '@ducat/testkit/browser/axe-findings';
import { openBrowser } from '@ducat/testkit/browser/open-browser';
import { openPayerPage, type PayerPage } from '@ducat/testkit/browser/payer-page';
import { type ServedDashboard, serveDashboard } from '@ducat/testkit/browser/serve-dashboard';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';

const TO = '0x52908400098527886E0F7030069857D2E4169EE7';

let shop: DashboardShop;
let dashboard: ServedDashboard;
let visit: PayerPage;
beforeAll(async () => {
  shop = await startDashboardShop(inject('postgresAdminUrl'));
  dashboard = await serveDashboard(shop.api);
  await shop.orderPaid('1041', '12', 12_000_000n);
  await shop.orderPaid('1042', '25.5', 25_500_000n);
  const open = { out_trade_no: '1043', currency_id: 1000, fiat_name: 'USD', fiat_amount: '90' };
  await shop.api.call('/api/order/create', open);
  const context = { viewport: { width: 1_280, height: 800 }, reducedMotion: 'reduce' } as const;
  visit = await openPayerPage(await openBrowser(), { context });
  await visit.page.clock.setFixedTime(NOW * 1_000);
});
afterAll(async () => {
  await visit?.close();
  await dashboard?.close();
  await shop?.close();
});

const button = (name: string) => visit.page.getByRole('button', { name, exact: true });
const link = (name: string) => visit.page.getByRole('link', { name, exact: true });
const heading = (name: string) => visit.page.getByRole('heading', { name, exact: true });
const row = (name: string) => visit.page.getByRole('row', { name });
const type = (label: string, text: string) => visit.page.getByLabel(label, { exact: true }).fill(text);

/** No rule of axe is broken, and nothing is wider than the window. */
async function look(screen: string): Promise<void> {
  await visit.page.waitForLoadState('networkidle');
  expect(await axeFindings(visit.page), screen).toEqual([]);
  const overflow = await visit.page.evaluate('document.documentElement.scrollWidth - innerWidth');
  expect(overflow, `${screen} is as wide as its window`).toBeLessThanOrEqual(0);
}

/** What an authenticator shows now. */
const codeOf = (secret: string) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: shop.api.world.nowMs() });

async function enterPassword(): Promise<void> {
  await type('E-mail', shop.owner.email);
  await type('Password', TEST_PASSWORD);
  await button('Sign in').click();
}

describe('the dashboard in a browser', () => {
  it('asks for an authenticator on the first day, and for its code from then on', async () => {
    const { page, complaints } = visit;
    await page.goto(`${dashboard.url}/`);
    await button('Sign in').waitFor();
    await look('sign-in');
    const begun = page.waitForResponse('**/api/totp.begin');
    await enterPassword();
    const { secret } = (await (await begun).json()) as { secret: string };
    await type('The code that the app shows now', codeOf(secret));
    await button('Turn on').click();
    await button('I have kept them').click();
    await heading('Home').waitFor();

    await button('Person 1').click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await button('Sign in').waitFor();
    await enterPassword();
    shop.api.world.advance(30_000);
    await type('Code of 6 digits', codeOf(secret));
    await button('Continue').click();
    await page.getByText('received in 7 days by 2 payments').waitFor();
    await look('home');
    expect(complaints).toEqual([]);
  });

  it('shows the orders and the story of one, and an AppKey once', async () => {
    const { page, complaints } = visit;
    await link('Orders').click();
    await row('1043').waitFor();
    await look('orders');
    await row('1042').click();
    await heading('What happened').waitFor();
    await page.getByText('counts for the order').waitFor();
    await look('order');

    await link('Apps').click();
    await button('Create app').click();
    await type('Name', 'Till <b>');
    const made = page.waitForResponse('**/api/apps.create');
    await button('Create and show key').click();
    const { app_key: appKey } = (await (await made).json()) as { app_key: string };
    await page.getByText(appKey).waitFor();
    await button('I have kept it').click();
    await row('Till <b>').waitFor();
    expect(await page.content()).not.toContain(appKey);
    await look('apps');
    expect(complaints).toEqual([]);
  });

  it('pays out what was reviewed', async () => {
    const { page, complaints } = visit;
    await link('Payouts').click();
    await link('New payout').click();
    await type('To', TO);
    await type('Amount', '5');
    await button('Review payout').click();
    await page.getByRole('button', { name: 'Pay out 5' }).click();
    await heading('What happened').waitFor();
    await page.getByRole('navigation').getByRole('link', { name: 'Payouts' }).click();
    await row('Person 1').waitFor();
    await look('payouts');
    expect(complaints).toEqual([]);
    expect(shop.api.bugs).toEqual([]);
  });
});
