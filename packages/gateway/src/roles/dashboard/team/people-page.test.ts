// The people of a gateway in a real browser: an operator invites another one, and takes away a lost second factor.
import { Secret, TOTP } from 'otpauth';
import { type DashboardShop, startDashboardShop } from '@ducat/testkit/api/dashboard-shop';
import { TEST_PASSWORD } from '@ducat/testkit/api/test-dashboard';
import { openBrowser } from '@ducat/testkit/browser/open-browser';
import { openPayerPage, type PayerPage } from '@ducat/testkit/browser/payer-page';
import { type ServedDashboard, serveDashboard } from '@ducat/testkit/browser/serve-dashboard';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';

let shop: DashboardShop;
let dashboard: ServedDashboard;
let visit: PayerPage;
beforeAll(async () => {
  shop = await startDashboardShop(inject('postgresAdminUrl'));
  dashboard = await serveDashboard(shop.api);
  await shop.api.database.transact(async (tx) => {
    await tx.write("UPDATE merchants SET name = 'Northwind Tea' WHERE merchant_id = 'mer_1'", []);
    // Person 2 has an authenticator, which is lost.
    await tx.write("UPDATE credentials SET totp_secret = '\\x00' WHERE person_id = $1", [
      shop.finance.personId,
    ]);
  });
  const context = { viewport: { width: 1_280, height: 800 }, reducedMotion: 'reduce' } as const;
  visit = await openPayerPage(await openBrowser(), { context });
  await visit.page.clock.setFixedTime(shop.api.world.nowMs());
});
afterAll(async () => {
  await visit?.close();
  await dashboard?.close();
  await shop?.close();
});

const button = (name: string) => visit.page.getByRole('button', { name, exact: true });
const type = (label: string, text: string) => visit.page.getByLabel(label, { exact: true }).fill(text);

describe('the dashboard in a browser', () => {
  it('has everybody who may sign in, invites an operator, and takes a second factor away', async () => {
    const { page, complaints } = visit;
    await page.goto(`${dashboard.url}/`);
    await button('Sign in').waitFor();
    const begun = page.waitForResponse('**/api/totp.begin');
    await type('E-mail', shop.operator.email);
    await type('Password', TEST_PASSWORD);
    await button('Sign in').click();
    const { secret } = (await (await begun).json()) as { secret: string };
    const totp = new TOTP({ secret: Secret.fromBase32(secret) });
    await type('The code that the app shows now', totp.generate({ timestamp: shop.api.world.nowMs() }));
    await button('Turn on').click();
    await button('I have kept them').click();
    await page.getByRole('link', { name: 'People', exact: true }).click();
    await button('Invite an operator').click();
    await type('E-mail', 'olga@example.test');
    await button('Make invitation link').click();
    await page.getByText('/invitation#').waitFor();
    await button('Done').click();
    await page.getByRole('row', { name: 'olga@example.test' }).waitFor();
    await button('More about Person 2').click();
    await page.getByRole('menuitem', { name: 'Take second factor away' }).click();
    await type('Why', 'her phone is lost, and she came by');
    await button('Take it away').click();
    await page.getByText('Person 2 sets up a new second factor').waitFor();
    expect(complaints).toEqual([]);
  });
});
