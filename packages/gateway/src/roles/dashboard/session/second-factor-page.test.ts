// Where a second factor is asked for in a real browser: a wrong code, a lock and a server that is away are three things.
import { type DashboardShop, startDashboardShop } from '@ducat/testkit/api/dashboard-shop';
import { signIn } from '@ducat/testkit/api/test-dashboard';
import { openBrowser } from '@ducat/testkit/browser/open-browser';
import { openPayerPage, type PayerPage } from '@ducat/testkit/browser/payer-page';
import { type ServedDashboard, serveDashboard } from '@ducat/testkit/browser/serve-dashboard';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { insertMember } from '../../../db/tables/access/memberships.ts';

let shop: DashboardShop;
let dashboard: ServedDashboard;
let visit: PayerPage;
beforeAll(async () => {
  shop = await startDashboardShop(inject('postgresAdminUrl'));
  dashboard = await serveDashboard(shop.api);
  const { database, world } = shop.api;
  const ada = { email: 'ada@example.test', name: 'Ada', isOperator: false, passwordHash: '' };
  const { token } = await signIn(database.transact, world, ada, async (tx, personId) => {
    await insertMember(tx, { personId, role: 'owner', sinceMs: world.nowMs(), merchantId: 'mer_1' });
  });
  visit = await openPayerPage(await openBrowser(), { context: { reducedMotion: 'reduce' } });
  const { page } = visit;
  await page.clock.setFixedTime(world.nowMs());
  await page.context().addCookies([{ name: 'ducat-session', value: token, url: dashboard.url }]);
});
afterAll(async () => {
  await visit?.close();
  await dashboard?.close();
  await shop?.close();
});

const button = (name: string) => visit.page.getByRole('button', { name, exact: true });
const dialog = () => visit.page.getByRole('dialog');

/** The operation ends so each time; null is no answer at all. */
async function endWith(operation: string, refusal: { status: number; code: string } | null): Promise<void> {
  const url = `**/api/${operation}`;
  await visit.page.unroute(url);
  await visit.page.route(url, (route) => {
    if (refusal === null) return route.abort();
    const { status, code } = refusal;
    return route.fulfill({
      status,
      contentType: 'application/json',
      body: JSON.stringify({ code, message: 'no' }),
    });
  });
}

const ends = [
  [{ status: 429, code: 'too-many' }, 'Too many attempts. Wait a few minutes and try again.'],
  [{ status: 503, code: 'unavailable' }, 'The server is starting or its database is away.'],
  [null, 'The server does not answer.'],
] as const;

describe('a second factor', () => {
  it('that is asked for again is wrong, locked, or not answered', async () => {
    const { page } = visit;
    shop.api.world.advance(6 * 60_000);
    await shop.bookFinal(() => []);
    await page.goto(`${dashboard.url}/m/mer_1/apps/${shop.api.payment.appId}?tab=checkout`);
    await button('Save settings').click();
    await dialog().getByLabel('Password').fill('whatever it was');
    const wrong = [{ status: 400, code: 'sign-in-failed' }, 'E-mail or password is wrong'] as const;
    for (const [refusal, text] of [wrong, ...ends]) {
      await endWith('session.step-up', refusal);
      await button('Confirm').click();
      await dialog().getByRole('alert').filter({ hasText: text }).waitFor();
    }
  });

  it('that is set up gets a wrong code, or no answer', async () => {
    const { page } = visit;
    await page.goto(`${dashboard.url}/account`);
    await button('Set up authenticator').click();
    await dialog().getByLabel('The code that the app shows now').fill('000000');
    const wrong = [{ status: 400, code: 'field-invalid' }, 'This code is not right'] as const;
    for (const [refusal, text] of [wrong, ...ends]) {
      await endWith('totp.confirm', refusal);
      await button('Turn on').click();
      await dialog().getByRole('alert').filter({ hasText: text }).waitFor();
    }
    expect(visit.complaints.filter((one) => !one.includes('Failed to load'))).toEqual([]);
  });
});
